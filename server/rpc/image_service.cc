#include "server/rpc/image_service.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "server/rpc/attribute_conversion.h"
#include "server/rpc/export_stream.h"
#include "server/rpc/image_conversion.h"
#include "server/rpc/import_stream.h"
#include "server/rpc/page.h"
#include "server/rpc/resource_name.h"
#include "server/rpc/selection_builder.h"
#include "storage/base/status.h"
#include "storage/engine/originals.h"

namespace freqstore {
namespace {

constexpr int kUpdatesMax = 10000;

/// Image tables and attributes read once for many rows.
class RowReader {
 public:
  explicit RowReader(std::shared_ptr<const DatasetSnapshot> snapshot) : snapshot_(std::move(snapshot)) {}

  absl::Status Read(const std::string& image_id, v1::Image& image) {
    ASSIGN_OR_RETURN(const DatasetSnapshot::Position position, snapshot_->Find(image_id));
    return Read(position, image);
  }

  absl::Status Read(DatasetSnapshot::Position position, v1::Image& image) {
    const Part& part = snapshot_->parts()[position.part];
    auto found = parts_.find(position.part);
    if (found == parts_.end()) {
      ReadPart rows;
      ASSIGN_OR_RETURN(rows.records, snapshot_->ReadRows(part));
      ASSIGN_OR_RETURN(rows.attributes, snapshot_->ReadAttributes(part));
      found = parts_.emplace(position.part, std::move(rows)).first;
    }
    const ReadPart& rows = found->second;
    ToProto(snapshot_->dataset().name(), (*rows.records)[position.ordinal], part.in_delta(), image);
    for (const auto& [id, column] : rows.attributes) {
      const AttributeDef* def = snapshot_->schema().Find(id);
      AttributeValue value = column->value(position.ordinal);
      if (def != nullptr && IsPresent(value)) (*image.mutable_attributes())[def->name] = ToProto(value);
    }
    return absl::OkStatus();
  }

 private:
  struct ReadPart {
    ImageRows records;
    std::map<uint32_t, AttributeColumnPtr> attributes;
  };

  std::shared_ptr<const DatasetSnapshot> snapshot_;
  std::map<size_t, ReadPart> parts_;
};

/// A page of the images for which a filter holds. A token is how many came before.
absl::Status ListMatching(const std::shared_ptr<const DatasetSnapshot>& snapshot,
                          const v1::ListImagesRequest& request, size_t page_size,
                          v1::ListImagesResponse& response) {
  ASSIGN_OR_RETURN(const SelectedRows selected, BuildRows(*snapshot, {}, request.filter()));
  ASSIGN_OR_RETURN(size_t to_skip, ParseOffsetToken(request.page_token()));
  const size_t first = to_skip;
  RowReader reader(snapshot);
  for (const PartRows& part : selected.rows.parts) {
    RETURN_IF_ERROR(part.status);
    const std::vector<uint32_t> ordinals = part.rows.ToOrdinals();
    const size_t skipped = std::min(to_skip, ordinals.size());
    to_skip -= skipped;
    for (const uint32_t ordinal : std::span(ordinals).subspan(skipped)) {
      if (std::cmp_equal(response.images_size(), page_size)) {
        response.set_next_page_token(OffsetToken(first + page_size));
        return absl::OkStatus();
      }
      RETURN_IF_ERROR(reader.Read(DatasetSnapshot::Position{part.part, ordinal}, *response.add_images()));
    }
  }
  return absl::OkStatus();
}

}  // namespace

grpc::ServerBidiReactor<v1::ImportImagesRequest, v1::ImportImagesResponse>* ImageService::ImportImages(
    grpc::CallbackServerContext* /*context*/) {
  return ImportStream::Start(services_);
}

grpc::ServerUnaryReactor* ImageService::GetImage(grpc::CallbackServerContext* context,
                                                 const v1::GetImageRequest* request, v1::Image* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const ImageNameParts name, ParseImageName(request->name()));
    ASSIGN_OR_RETURN(const auto snapshot, services_->engine->Snapshot(name.dataset));
    return RowReader(snapshot).Read(name.image_id, *response);
  });
}

grpc::ServerUnaryReactor* ImageService::GetImageFile(grpc::CallbackServerContext* context,
                                                     const v1::GetImageFileRequest* request,
                                                     v1::GetImageFileResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const ImageNameParts name, ParseImageName(request->name()));
    ASSIGN_OR_RETURN(const auto snapshot, services_->engine->Snapshot(name.dataset));
    ASSIGN_OR_RETURN(const DatasetSnapshot::Position position, snapshot->Find(name.image_id));
    ASSIGN_OR_RETURN(*response->mutable_file(), ReadOriginalFile(*snapshot, position));
    return absl::OkStatus();
  });
}

grpc::ServerWriteReactor<v1::ExportImagesResponse>* ImageService::ExportImages(
    grpc::CallbackServerContext* /*context*/, const v1::ExportImagesRequest* request) {
  return ExportStream::Start(services_, request);
}

grpc::ServerUnaryReactor* ImageService::ListImages(grpc::CallbackServerContext* context,
                                                   const v1::ListImagesRequest* request,
                                                   v1::ListImagesResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request->parent()));
    ASSIGN_OR_RETURN(const size_t page_size, PageSize(request->page_size()));
    ASSIGN_OR_RETURN(const auto snapshot, services_->engine->Snapshot(dataset));
    if (!request->filter().empty()) return ListMatching(snapshot, *request, page_size, *response);
    ASSIGN_OR_RETURN(std::vector<std::string> ids,
                     snapshot->ListImageIds(request->page_token(), page_size + 1));
    if (ids.size() > page_size) {
      response->set_next_page_token(ids.back());
      ids.pop_back();
    }
    RowReader reader(snapshot);
    for (const std::string& id : ids) RETURN_IF_ERROR(reader.Read(id, *response->add_images()));
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* ImageService::UpdateAttributes(grpc::CallbackServerContext* context,
                                                         const v1::UpdateAttributesRequest* request,
                                                         v1::UpdateAttributesResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request->parent()));
    if (request->updates_size() > kUpdatesMax) {
      return MakeError(absl::StatusCode::kInvalidArgument, "TOO_MANY_IMAGES",
                       fmt::format("{} updates in one request; at most {} are taken", request->updates_size(),
                                   kUpdatesMax));
    }
    ASSIGN_OR_RETURN(const auto schema, services_->engine->Schema(dataset));
    std::vector<AttributeUpdate> updates;
    for (const v1::AttributeUpdate& proto : request->updates()) {
      RepeatedIds ids;
      if (!proto.image_id().empty()) *ids.Add() = proto.image_id();
      AttributeUpdate& update = updates.emplace_back();
      ASSIGN_OR_RETURN(update.images, BuildSelection(*schema, ids, proto.filter()));
      ASSIGN_OR_RETURN(update.values, FromProto(proto.attributes()));
    }
    ASSIGN_OR_RETURN(const AttributeUpdateResult result,
                     services_->engine->UpdateAttributes(dataset, updates));
    response->set_images(result.images);
    response->mutable_missing()->Assign(result.missing.begin(), result.missing.end());
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* ImageService::DeleteImages(grpc::CallbackServerContext* context,
                                                     const v1::DeleteImagesRequest* request,
                                                     v1::DeleteImagesResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request->parent()));
    ASSIGN_OR_RETURN(const auto schema, services_->engine->Schema(dataset));
    ASSIGN_OR_RETURN(const ImageSelection selection,
                     BuildSelection(*schema, request->image_ids(), request->filter()));
    ASSIGN_OR_RETURN(const DeletionResult result, services_->engine->DeleteImages(dataset, selection));
    response->set_images(result.images);
    response->set_deletion_id(result.deletion_id);
    response->mutable_missing()->Assign(result.missing.begin(), result.missing.end());
    return absl::OkStatus();
  });
}

}  // namespace freqstore

#include "server/rpc/image_service.h"

#include <map>

#include "server/rpc/export_stream.h"
#include "server/rpc/image_conversion.h"
#include "server/rpc/import_stream.h"
#include "server/rpc/page.h"
#include "server/rpc/resource_name.h"
#include "storage/base/status.h"
#include "storage/engine/originals.h"

namespace freqstore {
namespace {

/// Image tables read once for many rows.
class RowReader {
 public:
  explicit RowReader(std::shared_ptr<const DatasetSnapshot> snapshot) : snapshot_(std::move(snapshot)) {}

  absl::Status Read(const std::string& image_id, v1::Image& image) {
    ASSIGN_OR_RETURN(const DatasetSnapshot::Position position, snapshot_->Find(image_id));
    const Part& part = snapshot_->parts()[position.part];
    ImageRows& rows = rows_[position.part];
    if (rows == nullptr) {
      ASSIGN_OR_RETURN(rows, snapshot_->ReadRows(part));
    }
    ToProto(snapshot_->dataset().name(), (*rows)[position.ordinal], part.in_delta(), image);
    return absl::OkStatus();
  }

 private:
  std::shared_ptr<const DatasetSnapshot> snapshot_;
  std::map<size_t, ImageRows> rows_;
};

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

}  // namespace freqstore

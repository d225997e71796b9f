#include "server/rpc/dataset_service.h"

#include <algorithm>

#include <google/protobuf/util/time_util.h>

#include "fmt/format.h"
#include "server/rpc/attribute_conversion.h"
#include "server/rpc/layout_conversion.h"
#include "server/rpc/page.h"
#include "server/rpc/resource_name.h"
#include "storage/base/geometry_names.h"
#include "storage/base/status.h"
#include "storage/catalog/stored_layout.h"

namespace freqstore {
namespace {

using google::protobuf::util::TimeUtil;

void ToProto(const storage::v1::DatasetMeta& meta, v1::Dataset& proto) {
  proto.set_name(DatasetName(meta.name()));
  proto.set_layout(ToProto(LayoutOf(meta)));
  *proto.mutable_create_time() = TimeUtil::MicrosecondsToTimestamp(meta.create_time_us());
}

void ToProto(const storage::v1::DeletionRecord& record, v1::Deletion& proto) {
  proto.set_deletion_id(record.deletion_id());
  *proto.mutable_delete_time() = TimeUtil::MicrosecondsToTimestamp(record.delete_time_us());
  proto.set_images(record.images());
  proto.set_selection(record.selection());
  if (record.purge_time_us() != 0)
    *proto.mutable_purge_time() = TimeUtil::MicrosecondsToTimestamp(record.purge_time_us());
}

void ToProto(const DatasetStats& stats, v1::DatasetStats& proto) {
  proto.set_images(stats.images);
  proto.set_delta_images(stats.delta_images);
  proto.set_segments(stats.segments);
  proto.set_file_bytes(stats.file_bytes);
  proto.set_column_bytes(stats.column_bytes);
  proto.set_delta_bytes(stats.delta_bytes);
  proto.set_envelope_bytes(stats.envelope_bytes);
  proto.set_deleted_images(stats.deleted_images);
  proto.set_quarantined_segments(stats.quarantined_segments);
  for (const auto& [reason, kept] : stats.kept) {
    v1::KeptFileStats& added = *proto.add_kept_files();
    added.set_reason(std::string(KeepReasonName(reason)));
    added.set_images(kept.images);
    added.set_bytes(kept.bytes);
  }
  for (const auto& component : stats.bytes_by_frequency) {
    uint64_t total = 0;
    for (const uint64_t bytes : component) total += bytes;
    if (total == 0) continue;
    proto.add_components()->mutable_bytes_by_frequency()->Assign(component.begin(), component.end());
  }
  for (const auto& [layout, of_layout] : stats.layouts) {
    v1::LayoutStats& added = *proto.add_layouts();
    added.set_layout(ToProto(layout));
    added.set_segments(of_layout.segments);
    added.set_images(of_layout.images);
    added.set_column_bytes(of_layout.column_bytes);
  }
}

void ToProto(const SegmentEntry& entry, v1::Segment& proto) {
  const storage::v1::SegmentMeta& segment = *entry.meta;
  proto.set_deleted_images(static_cast<uint32_t>(entry.state->deleted.count()));
  proto.set_quarantine(entry.state->quarantine);
  proto.set_segment_id(segment.segment_id());
  proto.set_images(segment.images());
  proto.set_layout(ToProto(LayoutOf(segment)));
  const storage::v1::ComponentLayout& components = segment.component_layout();
  if (components.color() != storage::v1::COLOR_MODEL_UNSPECIFIED) {
    proto.set_color(ColorName(static_cast<ColorModel>(components.color())));
  }
  proto.set_sampling(
      SamplingName({components.sampling().data(), static_cast<size_t>(components.sampling_size())}));
  proto.set_shorter_side_min(segment.cluster().shorter_side_min());
  proto.set_shorter_side_max(segment.cluster().shorter_side_max());
  proto.set_quality_min(segment.cluster().quality_min());
  proto.set_quality_max(segment.cluster().quality_max());
  proto.set_file_bytes(segment.file_bytes());
  proto.set_column_bytes(ColumnBytes(segment));
}

}  // namespace

grpc::ServerUnaryReactor* DatasetService::CreateDataset(grpc::CallbackServerContext* context,
                                                        const v1::CreateDatasetRequest* request,
                                                        v1::Dataset* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    Layout layout = kDefaultLayout;
    if (request->layout() != v1::LAYOUT_UNSPECIFIED) {
      ASSIGN_OR_RETURN(layout, LayoutFromProto(request->layout()));
    }
    ASSIGN_OR_RETURN(const storage::v1::DatasetMeta meta,
                     services_->engine->catalog().CreateDataset(request->dataset_id(), StoredLayout(layout)));
    ToProto(meta, *response);
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* DatasetService::GetDataset(grpc::CallbackServerContext* context,
                                                     const v1::GetDatasetRequest* request,
                                                     v1::Dataset* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string name, ParseDatasetName(request->name()));
    ASSIGN_OR_RETURN(const DatasetStats stats, services_->engine->Describe(name));
    ToProto(stats.meta, *response);
    for (const AttributeDef& def : stats.schema->own()) *response->add_attributes() = ToProto(def);
    ToProto(stats, *response->mutable_stats());
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* DatasetService::ListDatasets(grpc::CallbackServerContext* context,
                                                       const v1::ListDatasetsRequest* request,
                                                       v1::ListDatasetsResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const size_t page_size, PageSize(request->page_size()));
    response->set_next_page_token(FillPage(
        services_->engine->catalog().Datasets(), request->page_token(), page_size,
        [](const auto& meta) { return meta.name(); },
        [&](const auto& meta) { ToProto(meta, *response->add_datasets()); }));
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* DatasetService::DeleteDataset(grpc::CallbackServerContext* context,
                                                        const v1::DeleteDatasetRequest* request,
                                                        google::protobuf::Empty* /*response*/) {
  return Answer(services_, context, [this, request]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string name, ParseDatasetName(request->name()));
    return services_->engine->catalog().DeleteDataset(name);
  });
}

grpc::ServerUnaryReactor* DatasetService::ListSegments(grpc::CallbackServerContext* context,
                                                       const v1::ListSegmentsRequest* request,
                                                       v1::ListSegmentsResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string name, ParseDatasetName(request->parent()));
    ASSIGN_OR_RETURN(const size_t page_size, PageSize(request->page_size()));
    ASSIGN_OR_RETURN(const DatasetView view, services_->engine->catalog().View(name));
    // Tokens are compared as text.
    const auto key = [](const auto& segment) { return fmt::format("{:020}", segment.id()); };
    response->set_next_page_token(
        FillPage(*view.segments, request->page_token(), page_size, key,
                 [&](const auto& segment) { ToProto(segment, *response->add_segments()); }));
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* DatasetService::ListDeletions(grpc::CallbackServerContext* context,
                                                        const v1::ListDeletionsRequest* request,
                                                        v1::ListDeletionsResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string name, ParseDatasetName(request->parent()));
    ASSIGN_OR_RETURN(const size_t page_size, PageSize(request->page_size()));
    ASSIGN_OR_RETURN(const size_t first, ParseOffsetToken(request->page_token()));
    ASSIGN_OR_RETURN(const auto records, services_->engine->Deletions(name));
    const size_t end = std::min(records.size(), first + page_size);
    for (size_t i = first; i < end; ++i) ToProto(records[i], *response->add_deletions());
    if (end < records.size()) response->set_next_page_token(OffsetToken(end));
    return absl::OkStatus();
  });
}

}  // namespace freqstore

#include "server/rpc/dataset_service.h"

#include <google/protobuf/util/time_util.h>

#include "server/rpc/page.h"
#include "server/rpc/resource_name.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using google::protobuf::util::TimeUtil;

void ToProto(const storage::v1::DatasetMeta& meta, v1::Dataset& proto) {
  proto.set_name(DatasetName(meta.name()));
  proto.set_layout(static_cast<v1::Layout>(meta.layout()));
  *proto.mutable_create_time() = TimeUtil::MicrosecondsToTimestamp(meta.create_time_us());
}

void ToProto(const DatasetStats& stats, v1::DatasetStats& proto) {
  proto.set_images(stats.images);
  proto.set_delta_images(stats.delta_images);
  proto.set_segments(stats.segments);
  proto.set_file_bytes(stats.file_bytes);
  proto.set_column_bytes(stats.column_bytes);
  proto.set_delta_bytes(stats.delta_bytes);
  for (const auto& component : stats.bytes_by_frequency) {
    uint64_t total = 0;
    for (const uint64_t bytes : component) total += bytes;
    if (total == 0) continue;
    proto.add_components()->mutable_bytes_by_frequency()->Assign(component.begin(), component.end());
  }
}

}  // namespace

grpc::ServerUnaryReactor* DatasetService::CreateDataset(grpc::CallbackServerContext* context,
                                                        const v1::CreateDatasetRequest* request,
                                                        v1::Dataset* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    if (request->layout() != v1::LAYOUT_UNSPECIFIED && request->layout() != v1::LAYOUT_FAST) {
      return MakeError(absl::StatusCode::kInvalidArgument, "UNKNOWN_LAYOUT",
                       "the layout is not one that this server has");
    }
    ASSIGN_OR_RETURN(
        const storage::v1::DatasetMeta meta,
        services_->engine->catalog().CreateDataset(request->dataset_id(), storage::v1::LAYOUT_FAST));
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

}  // namespace freqstore

// freqstore.v1.DatasetService.
#pragma once

#include "freqstore/v1/dataset.grpc.pb.h"
#include "server/rpc/service_context.h"

namespace freqstore {

class DatasetService final : public v1::DatasetService::CallbackService {
 public:
  explicit DatasetService(ServiceContext* services) : services_(services) {}

  grpc::ServerUnaryReactor* CreateDataset(grpc::CallbackServerContext* context,
                                          const v1::CreateDatasetRequest* request,
                                          v1::Dataset* response) override;
  grpc::ServerUnaryReactor* GetDataset(grpc::CallbackServerContext* context,
                                       const v1::GetDatasetRequest* request, v1::Dataset* response) override;
  grpc::ServerUnaryReactor* ListDatasets(grpc::CallbackServerContext* context,
                                         const v1::ListDatasetsRequest* request,
                                         v1::ListDatasetsResponse* response) override;
  grpc::ServerUnaryReactor* DeleteDataset(grpc::CallbackServerContext* context,
                                          const v1::DeleteDatasetRequest* request,
                                          google::protobuf::Empty* response) override;
  grpc::ServerUnaryReactor* ListDeletions(grpc::CallbackServerContext* context,
                                          const v1::ListDeletionsRequest* request,
                                          v1::ListDeletionsResponse* response) override;
  grpc::ServerUnaryReactor* ListSegments(grpc::CallbackServerContext* context,
                                         const v1::ListSegmentsRequest* request,
                                         v1::ListSegmentsResponse* response) override;

 private:
  ServiceContext* const services_;
};

}  // namespace freqstore

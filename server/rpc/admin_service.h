// freqstore.v1.AdminService.
#pragma once

#include "freqstore/v1/admin.grpc.pb.h"
#include "server/rpc/service_context.h"

namespace freqstore {

class AdminService final : public v1::AdminService::CallbackService {
 public:
  explicit AdminService(ServiceContext* services) : services_(services) {}

  grpc::ServerUnaryReactor* GetStatus(grpc::CallbackServerContext* context,
                                      const v1::GetStatusRequest* request,
                                      v1::ServerStatus* response) override;
  grpc::ServerUnaryReactor* Flush(grpc::CallbackServerContext* context, const v1::FlushRequest* request,
                                  v1::FlushResponse* response) override;
  grpc::ServerUnaryReactor* CompactDataset(grpc::CallbackServerContext* context,
                                           const v1::CompactDatasetRequest* request,
                                           v1::CompactDatasetResponse* response) override;
  grpc::ServerWriteReactor<v1::RewriteProgress>* RewriteDataset(
      grpc::CallbackServerContext* context, const v1::RewriteDatasetRequest* request) override;

  grpc::ServerWriteReactor<v1::VerifyProgress>* Verify(grpc::CallbackServerContext* context,
                                                       const v1::VerifyRequest* request) override;
  grpc::ServerUnaryReactor* Checkpoint(grpc::CallbackServerContext* context,
                                       const v1::CheckpointRequest* request,
                                       v1::CheckpointResponse* response) override;

 private:
  ServiceContext* const services_;
};

}  // namespace freqstore

// freqstore.v1.QueryService.
#pragma once

#include "freqstore/v1/query.grpc.pb.h"
#include "server/rpc/service_context.h"

namespace freqstore {

class QueryService final : public v1::QueryService::CallbackService {
 public:
  explicit QueryService(ServiceContext* services) : services_(services) {}

  grpc::ServerWriteReactor<v1::InferResponse>* Infer(grpc::CallbackServerContext* context,
                                                     const v1::InferRequest* request) override;
  grpc::ServerWriteReactor<v1::ScanResponse>* Scan(grpc::CallbackServerContext* context,
                                                   const v1::ScanRequest* request) override;
  grpc::ServerUnaryReactor* Explain(grpc::CallbackServerContext* context, const v1::ExplainRequest* request,
                                    v1::ExplainResponse* response) override;

 private:
  ServiceContext* const services_;
};

}  // namespace freqstore

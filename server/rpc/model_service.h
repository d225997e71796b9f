// freqstore.v1.ModelService.
#pragma once

#include "freqstore/v1/model.grpc.pb.h"
#include "server/rpc/service_context.h"

namespace freqstore {

class ModelService final : public v1::ModelService::CallbackService {
 public:
  explicit ModelService(ServiceContext* services) : services_(services) {}

  grpc::ServerReadReactor<v1::RegisterModelRequest>* RegisterModel(grpc::CallbackServerContext* context,
                                                                   v1::Model* response) override;
  grpc::ServerUnaryReactor* GetModel(grpc::CallbackServerContext* context, const v1::GetModelRequest* request,
                                     v1::Model* response) override;
  grpc::ServerUnaryReactor* ListModels(grpc::CallbackServerContext* context,
                                       const v1::ListModelsRequest* request,
                                       v1::ListModelsResponse* response) override;
  grpc::ServerUnaryReactor* DeleteModel(grpc::CallbackServerContext* context,
                                        const v1::DeleteModelRequest* request,
                                        google::protobuf::Empty* response) override;

 private:
  ServiceContext* const services_;
};

}  // namespace freqstore

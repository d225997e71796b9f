#include "server/rpc/model_service.h"

#include <google/protobuf/util/time_util.h>

#include "fmt/format.h"
#include "server/rpc/input_spec_conversion.h"
#include "server/rpc/model_registration.h"
#include "server/rpc/page.h"
#include "server/rpc/resource_name.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

void ToProto(const storage::v1::ModelMeta& meta, v1::Model& proto) {
  proto.set_name(ModelName(meta.name()));
  *proto.mutable_input_spec() = ToWire(meta.input_spec());
  *proto.mutable_create_time() =
      google::protobuf::util::TimeUtil::MicrosecondsToTimestamp(meta.create_time_us());
  proto.set_file_bytes(meta.file_bytes());
  proto.set_sha256(meta.sha256());
  proto.set_seconds_per_image(meta.seconds_per_image());
}

void ToProto(const ValueInfo& value, v1::TensorInfo& proto) {
  proto.set_name(value.name);
  proto.mutable_shape()->Assign(value.shape.begin(), value.shape.end());
}

absl::Status DescribeModel(ServiceContext& services, std::string_view name, v1::Model& proto) {
  ASSIGN_OR_RETURN(const ModelCache::Found found, services.models->Find(name));
  ToProto(found.meta, proto);
  *proto.mutable_labels() = found.meta.labels();
  ToProto(found.model->input(), *proto.mutable_input());
  for (const ValueInfo& output : found.model->outputs()) ToProto(output, *proto.add_outputs());
  proto.set_parameters(found.model->parameters());
  proto.set_macs_per_image(found.model->macs_per_image());
  return absl::OkStatus();
}

/// Collects the pieces of a file, then registers it.
class RegisterStream final : public grpc::ServerReadReactor<v1::RegisterModelRequest> {
 public:
  RegisterStream(ServiceContext* services, v1::Model* response) : services_(services), response_(response) {
    StartRead(&request_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      services_->rpc_threads->Submit([this] { Finish(ToGrpc(Register())); });
      return;
    }
    if (request_.has_spec()) spec_ = std::move(*request_.mutable_spec());
    file_ += request_.chunk();
    if (file_.size() > services_->limits.model_bytes_max) {
      Finish(ToGrpc(MakeError(absl::StatusCode::kResourceExhausted, "LIMIT_MODEL_BYTES",
                              fmt::format("the file is above the limit of {} bytes (--model-bytes-max)",
                                          services_->limits.model_bytes_max))));
      return;
    }
    StartRead(&request_);
  }

  void OnDone() override { delete this; }

 private:
  absl::Status Register() {
    ASSIGN_OR_RETURN(const storage::v1::ModelMeta meta, RegisterModel(*services_, spec_, std::move(file_)));
    return DescribeModel(*services_, meta.name(), *response_);
  }

  ServiceContext* const services_;
  v1::Model* const response_;
  v1::RegisterModelRequest request_;
  v1::ModelSpec spec_;
  std::string file_;
};

}  // namespace

grpc::ServerReadReactor<v1::RegisterModelRequest>* ModelService::RegisterModel(
    grpc::CallbackServerContext* /*context*/, v1::Model* response) {
  return new RegisterStream(services_, response);
}

grpc::ServerUnaryReactor* ModelService::GetModel(grpc::CallbackServerContext* context,
                                                 const v1::GetModelRequest* request, v1::Model* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string name, ParseModelName(request->name()));
    return DescribeModel(*services_, name, *response);
  });
}

grpc::ServerUnaryReactor* ModelService::ListModels(grpc::CallbackServerContext* context,
                                                   const v1::ListModelsRequest* request,
                                                   v1::ListModelsResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const size_t page_size, PageSize(request->page_size()));
    response->set_next_page_token(FillPage(
        services_->engine->catalog().Models(), request->page_token(), page_size,
        [](const auto& meta) { return meta.name(); },
        [&](const auto& meta) { ToProto(meta, *response->add_models()); }));
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* ModelService::DeleteModel(grpc::CallbackServerContext* context,
                                                    const v1::DeleteModelRequest* request,
                                                    google::protobuf::Empty* /*response*/) {
  return Answer(services_, context, [this, request]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string name, ParseModelName(request->name()));
    return services_->engine->catalog().DeleteModel(name);
  });
}

}  // namespace freqstore

#include "server/rpc/status_conversion.h"

#include <string>

#include "google/rpc/error_details.pb.h"
#include "storage/base/status.h"

namespace freqstore {

google::rpc::Status ToProto(const absl::Status& status) {
  google::rpc::Status proto;
  if (status.ok()) return proto;
  proto.set_code(static_cast<int>(status.code()));  // absl's codes are google.rpc.Code's
  proto.set_message(std::string(MessageOf(status)));
  google::rpc::ErrorInfo info;
  info.set_reason(ReasonOf(status));
  info.set_domain("freqstore");
  proto.add_details()->PackFrom(info);
  return proto;
}

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const google::rpc::Status proto = ToProto(status);
  return {static_cast<grpc::StatusCode>(status.code()), proto.message(), proto.SerializeAsString()};
}

}  // namespace freqstore

#include "client/cpp/transient.h"

#include "client/cpp/error.h"

namespace freqstore::client {

bool IsTransient(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      return true;
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::CANCELLED:
      return status.error_details().empty();  // the server's own errors carry a reason
    default:
      return false;
  }
}

bool IsTransient(const google::rpc::Status& status) {
  return status.code() == grpc::StatusCode::UNAVAILABLE || ReasonOf(status) == "DISK_FULL";
}

}  // namespace freqstore::client

// absl::Status to what goes over the wire. The only place where the two meet.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"
#include "google/rpc/status.pb.h"

namespace freqstore {

/// A row's status, with its reason as google.rpc.ErrorInfo.
google::rpc::Status ToProto(const absl::Status& status);

/// A call's status; details as in ToProto.
grpc::Status ToGrpc(const absl::Status& status);

}  // namespace freqstore

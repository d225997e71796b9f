// Which failures pass by themselves.
#pragma once

#include <grpcpp/support/status.h>

#include "google/rpc/status.pb.h"

namespace freqstore::client {

/// Of a call: UNAVAILABLE, or an INTERNAL, UNKNOWN or CANCELLED that no server made but the connection's end.
bool IsTransient(const grpc::Status& status);

/// Of a row: its store cannot be written at the moment (UNAVAILABLE, DISK_FULL).
bool IsTransient(const google::rpc::Status& status);

}  // namespace freqstore::client

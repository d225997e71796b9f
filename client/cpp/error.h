// Why a call, or one row of it, failed.
#pragma once

#include <string>

#include <grpcpp/support/status.h>

#include "google/rpc/status.pb.h"

namespace freqstore::client {

/// The stable reason ("DATASET_NOT_FOUND") of a failed call, or its code's name where the server gave none.
std::string ReasonOf(const grpc::Status& status);

/// The same of a row's status.
std::string ReasonOf(const google::rpc::Status& status);

/// A message for people: what the server says, or what to do where there is no server.
std::string Describe(const grpc::Status& status, const std::string& address);

}  // namespace freqstore::client

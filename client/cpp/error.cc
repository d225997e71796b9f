#include "client/cpp/error.h"

#include <array>
#include <string_view>

#include "google/rpc/error_details.pb.h"

namespace freqstore::client {
namespace {

constexpr std::array<std::string_view, 17> kCodeNames = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

}  // namespace

std::string ReasonOf(const google::rpc::Status& status) {
  for (const auto& detail : status.details()) {
    google::rpc::ErrorInfo info;
    if (detail.UnpackTo(&info)) return info.reason();
  }
  const auto code = static_cast<size_t>(status.code());
  return std::string(code < kCodeNames.size() ? kCodeNames[code] : "UNKNOWN");
}

std::string ReasonOf(const grpc::Status& status) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) details.Clear();
  details.set_code(status.error_code());
  return ReasonOf(details);
}

std::string Describe(const grpc::Status& status, const std::string& address) {
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE && status.error_details().empty()) {
    return "no server answers at " + address + " (" + status.error_message() +
           "); start one with `freqstored --data-dir DIR`, or name another with --server";
  }
  return status.error_message();
}

}  // namespace freqstore::client

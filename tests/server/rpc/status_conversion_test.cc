#include "server/rpc/status_conversion.h"

#include <catch2/catch_test_macros.hpp>

#include "google/rpc/error_details.pb.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

TEST_CASE("code, message and reason reach the wire") {
  const grpc::Status status =
      ToGrpc(MakeError(absl::StatusCode::kNotFound, "DATASET_NOT_FOUND", "no such dataset"));
  REQUIRE(status.error_code() == grpc::StatusCode::NOT_FOUND);
  REQUIRE(status.error_message() == "no such dataset");
  google::rpc::Status details;
  REQUIRE(details.ParseFromString(status.error_details()));
  google::rpc::ErrorInfo info;
  REQUIRE(details.details(0).UnpackTo(&info));
  REQUIRE(info.reason() == "DATASET_NOT_FOUND");
  REQUIRE(info.domain() == "freqstore");
  REQUIRE(ToGrpc(absl::OkStatus()).ok());
}

}  // namespace
}  // namespace freqstore

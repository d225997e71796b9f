#include "client/cpp/transient.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/client/cpp/fake_server.h"

namespace freqstore::client {
namespace {

using testutil::CallStatus;
using testutil::RowStatus;

TEST_CASE("what a connection's end makes is transient, what a server says is so only if it says so") {
  for (const auto code : {grpc::UNAVAILABLE, grpc::INTERNAL, grpc::UNKNOWN, grpc::CANCELLED})
    REQUIRE(IsTransient(grpc::Status(code, "Stream removed")));
  REQUIRE(IsTransient(CallStatus(grpc::UNAVAILABLE, "SERVER_STOPPING")));
  REQUIRE_FALSE(IsTransient(CallStatus(grpc::INTERNAL, "STORE_FAILED")));
  REQUIRE_FALSE(IsTransient(CallStatus(grpc::NOT_FOUND, "DATASET_NOT_FOUND")));
  for (const auto code : {grpc::OK, grpc::NOT_FOUND, grpc::INVALID_ARGUMENT, grpc::RESOURCE_EXHAUSTED,
                          grpc::UNIMPLEMENTED, grpc::DEADLINE_EXCEEDED})
    REQUIRE_FALSE(IsTransient(grpc::Status(code, "")));
}

TEST_CASE("rows are transient while their store cannot be written") {
  REQUIRE(IsTransient(RowStatus(grpc::RESOURCE_EXHAUSTED, "DISK_FULL")));
  REQUIRE(IsTransient(RowStatus(grpc::UNAVAILABLE, "STORE_READ_ONLY")));
  REQUIRE_FALSE(IsTransient(RowStatus(grpc::RESOURCE_EXHAUSTED, "LIMIT_FILE_BYTES")));
  REQUIRE_FALSE(IsTransient(RowStatus(grpc::INVALID_ARGUMENT, "NOT_A_JPEG")));
  REQUIRE_FALSE(IsTransient(google::rpc::Status()));
}

}  // namespace
}  // namespace freqstore::client

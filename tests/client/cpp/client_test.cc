#include "client/cpp/client.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/client/cpp/fake_server.h"

namespace freqstore::client {
namespace {

TEST_CASE("idempotent calls are tried again where the server is not available") {
  testutil::FakeServer server;
  Client client(server.address());
  server.datasets().FailNext(2);
  grpc::ClientContext context;
  v1::Dataset dataset;
  REQUIRE(client.datasets().GetDataset(&context, {}, &dataset).ok());
  REQUIRE(server.datasets().calls() == 3);

  server.datasets().FailNext(100);
  grpc::ClientContext hopeless;
  REQUIRE(client.datasets().GetDataset(&hopeless, {}, &dataset).error_code() == grpc::UNAVAILABLE);
  REQUIRE(server.datasets().calls() == 3 + 4);
}

TEST_CASE("other calls are not") {
  testutil::FakeServer server;
  Client client(server.address());
  server.datasets().FailNext(1);
  grpc::ClientContext context;
  v1::Dataset dataset;
  REQUIRE(client.datasets().CreateDataset(&context, {}, &dataset).error_code() == grpc::UNAVAILABLE);
  REQUIRE(server.datasets().calls() == 1);
}

TEST_CASE("a client finds a server that was away") {
  testutil::FakeServer server;
  Client client(server.address());
  v1::Dataset dataset;
  const auto get = [&] {
    grpc::ClientContext context;
    return client.datasets().GetDataset(&context, {}, &dataset).ok();
  };
  REQUIRE(get());
  server.Stop();
  REQUIRE_FALSE(get());
  server.StartAgain();
  while (!get()) {
  }
}

}  // namespace
}  // namespace freqstore::client

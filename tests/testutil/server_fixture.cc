#include "tests/testutil/server_fixture.h"

#include <algorithm>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "client/cpp/error.h"
#include "client/cpp/importer.h"

namespace freqstore::testutil {

ServerFixture::ServerFixture(ServerOptions options) : options_(std::move(options)) {
  options_.storage.data_dir = folder_.path() / "data";
  options_.listen = "127.0.0.1:0";
  options_.drain_seconds = 5;
  Start();
}

void ServerFixture::Start() {
  auto server = Server::Start(options_);
  INFO(server.status().ToString());
  REQUIRE(server.ok());
  server_ = *std::move(server);
  client_ = std::make_unique<client::Client>(server_->address());
}

void ServerFixture::Restart() {
  server_->Shutdown();
  server_.reset();
  Start();
}

void ServerFixture::CreateDataset(const std::string& name) {
  v1::CreateDatasetRequest request;
  request.set_dataset_id(name);
  v1::Dataset dataset;
  grpc::ClientContext context;
  const grpc::Status status = client_->datasets().CreateDataset(&context, request, &dataset);
  INFO(status.error_message());
  REQUIRE(status.ok());
}

std::vector<std::pair<std::string, std::string>> ServerFixture::Import(const std::string& dataset,
                                                                       const std::vector<File>& files) {
  std::vector<std::pair<std::string, std::string>> outcomes;
  client::Importer importer(*client_, dataset, [&](const v1::ImportAcknowledgement& ack) {
    outcomes.emplace_back(ack.image_id(), client::ReasonOf(ack.status()));
  });
  for (const File& file : files) importer.Send(file.image_id, file.bytes);
  const grpc::Status status = importer.Finish();
  INFO(status.error_message());
  REQUIRE(status.ok());
  std::sort(outcomes.begin(), outcomes.end());
  return outcomes;
}

v1::FlushResponse ServerFixture::Flush() {
  v1::FlushResponse response;
  grpc::ClientContext context;
  REQUIRE(client_->admin().Flush(&context, {}, &response).ok());
  return response;
}

}  // namespace freqstore::testutil

// The server as a whole: services, restart, bad requests.

#include <catch2/catch_test_macros.hpp>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include "client/cpp/error.h"
#include "storage/base/status.h"
#include "tests/integration/tiny_model.h"
#include "tests/testutil/jpeg_builder.h"
#include "tests/testutil/server_fixture.h"

namespace freqstore {
namespace {

using testutil::ServerFixture;

TEST_CASE("datasets, images and models are there after a restart") {
  ServerFixture fixture;
  fixture.CreateDataset("d");
  const std::string file = testutil::BuildJpeg({});
  fixture.Import("d", {{"a/b.jpg", file}});
  testutil::RegisterChannelMean(fixture.client(), "m");
  fixture.Restart();

  v1::GetImageFileRequest get;
  get.set_name("datasets/d/images/a/b.jpg");
  v1::GetImageFileResponse original;
  grpc::ClientContext get_context;
  REQUIRE(fixture.client().images().GetImageFile(&get_context, get, &original).ok());
  REQUIRE(original.file() == file);

  v1::GetModelRequest model_request;
  model_request.set_name("models/m");
  v1::Model model;
  grpc::ClientContext model_context;
  REQUIRE(fixture.client().models().GetModel(&model_context, model_request, &model).ok());
  REQUIRE(model.labels_size() == 3);
  REQUIRE(model.input_spec().width() == 8);
}

TEST_CASE("lists come in pages") {
  ServerFixture fixture;
  for (const char* name : {"a", "b", "c"}) fixture.CreateDataset(name);
  v1::ListDatasetsRequest request;
  request.set_page_size(2);
  v1::ListDatasetsResponse response;
  grpc::ClientContext first;
  REQUIRE(fixture.client().datasets().ListDatasets(&first, request, &response).ok());
  REQUIRE(response.datasets_size() == 2);
  request.set_page_token(response.next_page_token());
  grpc::ClientContext second;
  REQUIRE(fixture.client().datasets().ListDatasets(&second, request, &response).ok());
  REQUIRE(response.datasets_size() == 1);
  REQUIRE(response.datasets(0).name() == "datasets/c");
  REQUIRE(response.next_page_token().empty());
}

TEST_CASE("a model is refused with its reason before anything is stored") {
  ServerFixture fixture;
  const auto reason_of = [&](const v1::ModelSpec& spec, const std::string& file) {
    v1::Model model;
    return client::ReasonOf(fixture.client().RegisterModel(spec, file, model));
  };
  v1::ModelSpec spec;
  spec.set_model_id("m");
  REQUIRE(reason_of(spec, "not an ONNX file") != "OK");
  spec.mutable_input_spec()->set_width(9);
  REQUIRE(reason_of(spec, testutil::ChannelMeanModel()) == "INVALID_INPUT_SPEC");
  spec.clear_input_spec();
  spec.add_labels("only one");
  REQUIRE(reason_of(spec, testutil::ChannelMeanModel()) == "LABEL_COUNT");
  spec.clear_labels();
  spec.set_model_id("no/slash");
  REQUIRE(reason_of(spec, testutil::ChannelMeanModel()) == "INVALID_NAME");
  v1::ListModelsResponse models;
  grpc::ClientContext context;
  REQUIRE(fixture.client().models().ListModels(&context, {}, &models).ok());
  REQUIRE(models.models().empty());
}

/// Calls a unary method by its name with the message's bytes; gives the answer's bytes.
std::string CallByName(const std::string& address, const std::string& method, const std::string& request) {
  grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const grpc::Slice slice(request);
  const auto call = stub.PrepareUnaryCall(&context, method, grpc::ByteBuffer(&slice, 1), &queue);
  call->StartCall();
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->Finish(&answer, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  REQUIRE(status.ok());
  grpc::Slice bytes;
  REQUIRE(answer.DumpToSingleSlice(&bytes).ok());
  return {reinterpret_cast<const char*>(bytes.begin()), bytes.size()};
}

TEST_CASE("the standard health service says SERVING") {
  ServerFixture fixture;
  REQUIRE(CallByName(fixture.server().address(), "/grpc.health.v1.Health/Check", "") ==
          std::string("\x08\x01"));
}

TEST_CASE("a file above the limit is its own error") {
  ServerOptions options;
  options.limits.file_bytes_max = 1000;
  ServerFixture fixture(options);
  fixture.CreateDataset("d");
  const auto outcomes =
      fixture.Import("d", {{"large", std::string(1500, 'x')}, {"small", testutil::BuildJpeg({})}});
  REQUIRE(outcomes[0].second == "LIMIT_FILE_BYTES");
  REQUIRE(outcomes[1].second == "OK");
}

TEST_CASE("two servers do not share a store or a port") {
  ServerFixture fixture;
  ServerOptions options;
  options.storage.data_dir = fixture.folder() / "data";
  options.listen = "127.0.0.1:0";
  REQUIRE(ReasonOf(Server::Start(options).status()) == "STORE_LOCKED");
  options.storage.data_dir = fixture.folder() / "other";
  options.listen = fixture.server().address();
  REQUIRE(ReasonOf(Server::Start(options).status()) == "CANNOT_LISTEN");
}

}  // namespace
}  // namespace freqstore

// Streams that end early, stall, or come in crowds.

#include <atomic>
#include <chrono>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "client/cpp/error.h"
#include "client/cpp/importer.h"
#include "tests/integration/tiny_model.h"
#include "tests/testutil/jpeg_builder.h"
#include "tests/testutil/server_fixture.h"

namespace freqstore {
namespace {

using testutil::ServerFixture;
using namespace std::chrono_literals;

std::vector<ServerFixture::File> Files(int count, int side) {
  testutil::JpegSpec spec;
  spec.width = spec.height = side;
  const std::string file = testutil::BuildJpeg(spec);
  std::vector<ServerFixture::File> files;
  for (int i = 0; i < count; ++i) files.push_back({fmt::format("{:04}", i), file});
  return files;
}

v1::ServerStatus Status(ServerFixture& fixture) {
  v1::ServerStatus status;
  grpc::ClientContext context;
  REQUIRE(fixture.client().admin().GetStatus(&context, {}, &status).ok());
  return status;
}

/// Waits until no query runs and nothing is in flight.
void RequireIdle(ServerFixture& fixture) {
  for (int i = 0; i < 500; ++i) {
    const v1::ServerStatus status = Status(fixture);
    if (status.active_queries() == 0 && status.bytes_in_flight() == 0) return;
    std::this_thread::sleep_for(20ms);
  }
  FAIL("a query is still running");
}

v1::ScanRequest FullScan() {
  v1::ScanRequest request;
  request.set_dataset("datasets/d");
  request.mutable_pixels()->set_scale(8);
  return request;
}

ServerOptions SmallOutput() {
  ServerOptions options;
  options.limits.stream_output_bytes_max = uint64_t{1} << 20;
  return options;
}

TEST_CASE("a client that goes away stops the work") {
  ServerFixture fixture(SmallOutput());
  fixture.CreateDataset("d");
  fixture.Import("d", Files(300, 256));
  fixture.Flush();
  grpc::ClientContext context;
  const auto stream = fixture.client().queries().Scan(&context, FullScan());
  v1::ScanResponse response;
  REQUIRE(stream->Read(&response));
  context.TryCancel();
  while (stream->Read(&response)) {
  }
  REQUIRE(stream->Finish().error_code() == grpc::StatusCode::CANCELLED);
  RequireIdle(fixture);
}

TEST_CASE("an export gives every file back, and ends with its client") {
  ServerFixture fixture(SmallOutput());
  fixture.CreateDataset("d");
  const std::vector<ServerFixture::File> files = Files(300, 256);
  fixture.Import("d", files);
  fixture.Flush();
  v1::ExportImagesRequest request;
  request.set_parent("datasets/d");
  v1::ExportImagesResponse response;
  {
    grpc::ClientContext context;
    const auto stream = fixture.client().images().ExportImages(&context, request);
    size_t same = 0;
    while (stream->Read(&response)) {
      if (response.status().code() == 0 && response.file() == files.front().bytes) ++same;
    }
    REQUIRE(stream->Finish().ok());
    REQUIRE(same == files.size());
  }
  grpc::ClientContext context;
  const auto stream = fixture.client().images().ExportImages(&context, request);
  REQUIRE(stream->Read(&response));
  context.TryCancel();
  while (stream->Read(&response)) {
  }
  REQUIRE(stream->Finish().error_code() == grpc::StatusCode::CANCELLED);
  RequireIdle(fixture);

  request.set_parent("datasets/nobody");
  grpc::ClientContext other;
  const auto refused = fixture.client().images().ExportImages(&other, request);
  REQUIRE(!refused->Read(&response));
  REQUIRE(client::ReasonOf(refused->Finish()) == "DATASET_NOT_FOUND");
}

TEST_CASE("a slow client does not hold up others") {
  ServerFixture fixture(SmallOutput());
  fixture.CreateDataset("d");
  fixture.Import("d", Files(300, 256));
  fixture.Flush();
  grpc::ClientContext slow_context;
  const auto slow = fixture.client().queries().Scan(&slow_context, FullScan());
  v1::ScanResponse response;
  REQUIRE(slow->Read(&response));  // and no further read for now

  grpc::ClientContext context;
  const auto quick = fixture.client().queries().Scan(&context, FullScan());
  int rows = 0;
  while (quick->Read(&response)) rows += response.rows_size();
  REQUIRE(quick->Finish().ok());
  REQUIRE(rows == 300);

  rows = 0;
  while (slow->Read(&response)) rows += response.rows_size();
  REQUIRE(slow->Finish().ok());
  REQUIRE(rows > 0);
}

TEST_CASE("64 streams over one dataset finish, each with every row, in bounded memory") {
  ServerFixture fixture;
  fixture.CreateDataset("d");
  fixture.Import("d", Files(600, 128));
  fixture.Flush();
  testutil::RegisterChannelMean(fixture.client(), "m");
  constexpr int kStreams = 64;
  std::atomic<int> complete = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kStreams; ++i) {
    threads.emplace_back([&] {
      v1::InferRequest request;
      request.set_dataset("datasets/d");
      request.set_model("models/m");
      grpc::ClientContext context;
      const auto stream = fixture.client().queries().Infer(&context, request);
      v1::InferResponse response;
      int rows = 0;
      while (stream->Read(&response)) rows += response.results_size();
      if (stream->Finish().ok() && rows == 600) ++complete;
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(complete == kStreams);
  REQUIRE(Status(fixture).resident_bytes() < uint64_t{2} << 30);
  RequireIdle(fixture);
}

TEST_CASE("beyond the limit of streams a query is refused, naming the flag") {
  ServerOptions options = SmallOutput();
  options.limits.streams_max = 1;
  ServerFixture fixture(options);
  fixture.CreateDataset("d");
  fixture.Import("d", Files(300, 256));
  for (int i = 0; i < 200 && Status(fixture).active_imports() > 0; ++i) std::this_thread::sleep_for(10ms);
  grpc::ClientContext first_context;
  const auto first = fixture.client().queries().Scan(&first_context, FullScan());
  v1::ScanResponse response;
  REQUIRE(first->Read(&response));
  grpc::ClientContext context;
  const auto second = fixture.client().queries().Scan(&context, FullScan());
  REQUIRE_FALSE(second->Read(&response));
  const grpc::Status status = second->Finish();
  REQUIRE(client::ReasonOf(status) == "LIMIT_STREAMS");
  REQUIRE(status.error_message().find("--streams-max") != std::string::npos);
  first_context.TryCancel();
}

TEST_CASE("an import that is cut off keeps what it had acknowledged") {
  ServerFixture fixture;
  fixture.CreateDataset("d");
  std::atomic<uint64_t> acknowledged = 0;
  {
    client::Importer importer(fixture.client(), "d", [&](const v1::ImportAcknowledgement& ack) {
      if (ack.status().code() == 0) ++acknowledged;
    });
    for (const auto& file : Files(300, 64)) importer.Send(file.image_id, file.bytes);
    while (acknowledged < 256) std::this_thread::sleep_for(1ms);
  }  // cancelled here
  fixture.Restart();
  REQUIRE(Status(fixture).images() >= acknowledged);
}

}  // namespace
}  // namespace freqstore

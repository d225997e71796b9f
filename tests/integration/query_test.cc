// Infer, scan and explain through a server.

#include <cstring>
#include <map>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "client/cpp/error.h"
#include "tests/integration/tiny_model.h"
#include "tests/testutil/jpeg_builder.h"
#include "tests/testutil/server_fixture.h"

namespace freqstore {
namespace {

using testutil::ServerFixture;

std::vector<ServerFixture::File> SmallFiles(int count) {
  std::vector<ServerFixture::File> files;
  for (int i = 0; i < count; ++i) {
    testutil::JpegSpec spec;
    spec.width = 64 + i;
    spec.height = 48;
    spec.quality = 50 + i % 50;
    if (i % 2 == 0) spec.sampling = {{2, 2}};
    files.push_back({fmt::format("{:03}.jpg", i), testutil::BuildJpeg(spec)});
  }
  return files;
}

struct InferOutcome {
  std::map<std::string, v1::InferResult> results;
  v1::QueryStats stats;
  grpc::Status status;
};

InferOutcome Infer(client::Client& client, const v1::InferRequest& request) {
  InferOutcome outcome;
  grpc::ClientContext context;
  const auto stream = client.queries().Infer(&context, request);
  v1::InferResponse response;
  while (stream->Read(&response)) {
    for (const v1::InferResult& result : response.results()) {
      REQUIRE(outcome.results.emplace(result.image_id(), result).second);
    }
    if (response.has_stats()) outcome.stats = response.stats();
  }
  outcome.status = stream->Finish();
  return outcome;
}

v1::InferRequest Request() {
  v1::InferRequest request;
  request.set_dataset("datasets/d");
  request.set_model("models/m");
  return request;
}

std::vector<float> Values(const v1::Tensor& tensor) {
  std::vector<float> values(tensor.values().size() / sizeof(float));
  std::memcpy(values.data(), tensor.values().data(), tensor.values().size());
  return values;
}

TEST_CASE("infer answers every image once, from segments and delta alike") {
  ServerFixture fixture;
  fixture.CreateDataset("d");
  fixture.Import("d", SmallFiles(40));
  testutil::RegisterChannelMean(fixture.client(), "m");
  v1::InferRequest request = Request();
  request.set_raw_output(true);
  request.mutable_fidelity()->set_level(v1::Fidelity::LEVEL_EXACT);

  const InferOutcome from_delta = Infer(fixture.client(), request);
  REQUIRE(from_delta.status.ok());
  REQUIRE(from_delta.results.size() == 40);
  REQUIRE(from_delta.stats.rows_ok() == 40);
  REQUIRE(from_delta.stats.actual().column_bytes() == 0);

  REQUIRE(fixture.Flush().images() == 40);
  const InferOutcome from_segments = Infer(fixture.client(), request);
  REQUIRE(from_segments.stats.actual().delta_bytes() == 0);
  REQUIRE(from_segments.results.size() == 40);
  for (const auto& [id, result] : from_segments.results) {
    const std::vector<float> a = Values(result.output());
    const std::vector<float> b = Values(from_delta.results.at(id).output());
    REQUIRE(a.size() == 3);
    for (size_t c = 0; c < 3; ++c) {
      REQUIRE(a[c] == Catch::Approx(b[c]).margin(1e-5));
      REQUIRE((a[c] > 0 && a[c] < 1));
    }
  }
}

TEST_CASE("top classes come best first with labels and softmax scores") {
  ServerFixture fixture;
  fixture.CreateDataset("d");
  fixture.Import("d", SmallFiles(3));
  testutil::RegisterChannelMean(fixture.client(), "m");
  v1::InferRequest request = Request();
  request.set_top(3);
  for (const auto& [id, result] : Infer(fixture.client(), request).results) {
    REQUIRE(result.top_size() == 3);
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      sum += result.top(i).score();
      REQUIRE_FALSE(result.top(i).label().empty());
      if (i > 0) REQUIRE(result.top(i).score() <= result.top(i - 1).score());
    }
    REQUIRE(sum == Catch::Approx(1.0).margin(1e-5));
  }
}

TEST_CASE("an image that does not exist is its own row's error") {
  ServerFixture fixture;
  fixture.CreateDataset("d");
  fixture.Import("d", SmallFiles(5));
  testutil::RegisterChannelMean(fixture.client(), "m");
  v1::InferRequest request = Request();
  request.add_image_ids("001.jpg");
  request.add_image_ids("nobody.jpg");
  const InferOutcome outcome = Infer(fixture.client(), request);
  REQUIRE(outcome.status.ok());
  REQUIRE(outcome.results.size() == 2);
  REQUIRE(outcome.results.at("001.jpg").top_size() == 1);
  REQUIRE(client::ReasonOf(outcome.results.at("nobody.jpg").status()) == "IMAGE_NOT_FOUND");
  REQUIRE(outcome.stats.rows_failed() == 1);
}

TEST_CASE("queries that cannot run say why") {
  ServerFixture fixture;
  v1::InferRequest request = Request();
  REQUIRE(client::ReasonOf(Infer(fixture.client(), request).status) == "MODEL_NOT_FOUND");
  testutil::RegisterChannelMean(fixture.client(), "m");
  REQUIRE(client::ReasonOf(Infer(fixture.client(), request).status) == "DATASET_NOT_FOUND");
  fixture.CreateDataset("d");
  REQUIRE(Infer(fixture.client(), request).status.ok());
  request.mutable_fidelity()->set_level(v1::Fidelity::LEVEL_LOSSY);
  REQUIRE(client::ReasonOf(Infer(fixture.client(), request).status) == "INVALID_FIDELITY");
  request.set_dataset("photos");
  REQUIRE(client::ReasonOf(Infer(fixture.client(), request).status) == "INVALID_NAME");
}

TEST_CASE("a scan gives pixels of the scaled size, and coefficients as they are in the file") {
  ServerFixture fixture;
  fixture.CreateDataset("d");
  fixture.Import("d", SmallFiles(4));
  v1::ScanRequest request;
  request.set_dataset("datasets/d");
  request.mutable_pixels()->set_scale(3);
  for (const bool coefficients : {false, true}) {
    if (coefficients) request.mutable_coefficients()->set_side(2);
    grpc::ClientContext context;
    const auto stream = fixture.client().queries().Scan(&context, request);
    v1::ScanResponse response;
    int rows = 0;
    while (stream->Read(&response)) {
      for (const v1::ScanRow& row : response.rows()) {
        ++rows;
        const auto width = 64 + static_cast<uint32_t>(std::stoi(row.image_id()));
        if (coefficients) {
          REQUIRE(row.coefficients().width() == width);
          const v1::ComponentCoefficients& luma = row.coefficients().components(0);
          REQUIRE(luma.width_blocks() == (width + 7) / 8);
          REQUIRE(luma.frequencies_size() == 4);
          REQUIRE(luma.values().size() == size_t{2} * 4 * luma.width_blocks() * luma.height_blocks());
        } else {
          REQUIRE(row.pixels().width() == (width * 3 + 7) / 8);
          REQUIRE(row.pixels().height() == 18);
          REQUIRE(row.pixels().rgb().size() == size_t{3} * row.pixels().width() * row.pixels().height());
        }
      }
    }
    REQUIRE(stream->Finish().ok());
    REQUIRE(rows == 4);
  }
}

TEST_CASE("explain shows the plan, and analyze what happened") {
  ServerFixture fixture;
  fixture.CreateDataset("d");
  fixture.Import("d", SmallFiles(20));
  fixture.Flush();
  testutil::RegisterChannelMean(fixture.client(), "m");
  v1::ExplainRequest request;
  *request.mutable_infer() = Request();
  request.set_analyze(true);
  v1::ExplainResponse response;
  grpc::ClientContext context;
  REQUIRE(fixture.client().queries().Explain(&context, request, &response).ok());
  const v1::Plan& plan = response.plan();
  REQUIRE(plan.images() == 20);
  REQUIRE(plan.segments() == 2);
  REQUIRE(plan.estimated().column_bytes() == plan.actual().column_bytes());
  REQUIRE(plan.actual().rows() == 20);
  REQUIRE(plan.actual().model_seconds() > 0);
  uint64_t bytes = 0;
  for (const v1::PlannedColumn& column : plan.columns()) bytes += column.bytes();
  REQUIRE(bytes == plan.estimated().column_bytes());
  REQUIRE(response.text().find("actual") != std::string::npos);
}

}  // namespace
}  // namespace freqstore

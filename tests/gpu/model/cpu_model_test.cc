// The life of a loaded model: threads, batch sizes, inputs that do not fit.
#include "gpu/cpu/model/cpu_model.h"

#include <filesystem>
#include <iterator>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/gpu/model/onnx_builder.h"
#include "tests/gpu/model/run_model.h"

extern "C" int omp_get_max_threads(void);

namespace freqstore {
namespace {

using testutil::ImportOrFail;
using testutil::MakeTensor;
using testutil::Noise;
using testutil::OnnxBuilder;

/// Large enough that oneDNN would share it out between threads if it were let.
std::shared_ptr<const Model> ConvModel() {
  OnnxBuilder builder({-1, 16, 32, 32});
  builder.Floats("w", {64, 16, 3, 3}, Noise(64 * 16 * 9));
  builder.Node("Conv", {"x", "w"}, {"c"}).Ints("pads", {1, 1, 1, 1});
  builder.Node("GlobalAveragePool", {"c"}, {"p"}).Node("Flatten", {"p"}, {"y"});
  return ImportOrFail(builder.Serialize());
}

std::ptrdiff_t ThreadsOfProcess() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

}  // namespace

TEST_CASE("Everything happens on the calling thread, whose OpenMP setting is left as it was") {
  const std::shared_ptr<const Model> model = ConvModel();
  const std::ptrdiff_t threads = ThreadsOfProcess();
  const int team = omp_get_max_threads();
  auto loaded = LoadCpuModel(model).value();
  REQUIRE(loaded->Run(*MakeTensor({8, 16, 32, 32}, Noise(8 * 16 * 1024)), 8).ok());
  CHECK(ThreadsOfProcess() == threads);
  CHECK(omp_get_max_threads() == team);
}

TEST_CASE("Rows do not depend on the batch they come in") {
  auto loaded = LoadCpuModel(ConvModel()).value();
  constexpr int64_t kRows = 9;
  const std::vector<float> images = Noise(kRows * 16 * 1024);
  const auto input = MakeTensor({kRows, 16, 32, 32}, images);
  const auto all = loaded->Run(*input, kRows).value();
  const auto floats = static_cast<const CpuTensor*>(all[0])->floats();
  const std::vector<float> expected(floats.begin(), floats.end());
  // More sizes than are kept, there and back.
  for (const int64_t rows : {1, 2, 3, 4, 5, 6, 9, 1, 6, 2}) {
    CAPTURE(rows);
    const auto some = loaded->Run(*input, rows).value();
    CHECK(some[0]->shape() == Shape{rows, 64});
    const auto values = static_cast<const CpuTensor*>(some[0])->floats();
    testutil::CheckNear({values.begin(), values.end()}, {expected.begin(), expected.begin() + rows * 64});
  }
}

TEST_CASE("Inputs that do not fit are refused") {
  auto loaded = LoadCpuModel(ConvModel()).value();
  auto reason = [&](const Shape& shape, int64_t rows) {
    const auto tensor = CpuTensor::Allocate(DataType::kFloat32, shape).value();
    return ReasonOf(loaded->Run(*tensor, rows).status());
  };
  CHECK(reason({2, 16, 32, 32}, 3) == "INVALID_SHAPE");
  CHECK(reason({2, 16, 32, 32}, 0) == "INVALID_SHAPE");
  CHECK(reason({2, 16, 32, 32}, -1) == "INVALID_SHAPE");
  CHECK(reason({2, 16, 32, 31}, 2) == "INVALID_SHAPE");
  CHECK(reason({2, 16, 1024}, 2) == "INVALID_SHAPE");
  CHECK(ReasonOf(CpuTensor::Allocate(DataType::kFloat32, {-1, 3}).status()) == "INVALID_SHAPE");
  CHECK(ReasonOf(CpuTensor::Allocate(DataType::kFloat32, {int64_t{1} << 62, 8}).status()) == "INVALID_SHAPE");
  const auto bytes = CpuTensor::Allocate(DataType::kUint8, {2, 16, 32, 32}).value();
  CHECK(ReasonOf(loaded->Run(*bytes, 2).status()) == "INVALID_SHAPE");
}

TEST_CASE("Two threads each run a copy of their own of one model") {
  const std::shared_ptr<const Model> model = ConvModel();
  const std::vector<float> images = Noise(2 * 16 * 1024);
  std::vector<std::vector<float>> results(2);
  std::vector<std::thread> threads;
  for (std::vector<float>& result : results) {
    threads.emplace_back([&model, &images, &result] {
      auto loaded = LoadCpuModel(model).value();
      const auto tensor = MakeTensor({2, 16, 32, 32}, images);
      for (int i = 0; i < 3; ++i) {
        const auto outputs = loaded->Run(*tensor, 2).value();
        const auto values = static_cast<const CpuTensor*>(outputs[0])->floats();
        result.assign(values.begin(), values.end());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(results[0] == results[1]);
}

}  // namespace freqstore

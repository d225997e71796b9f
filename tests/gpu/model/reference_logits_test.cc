// The CPU executor against an independent runtime: tests/golden/reference_logits.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "gpu/cpu/model/cpu_model.h"
#include "gpu/cpu/model/cpu_tensor.h"
#include "gpu/model/model.h"
#include "storage/base/coding.h"
#include "tests/gpu/model/synthetic_image.h"
#include "tests/testutil/test_data.h"

namespace freqstore {
namespace {

constexpr uint32_t kFirstSeed = 1000;

std::vector<float> ReadFloats(const std::string& name) {
  const std::string bytes = testutil::ReadFile(std::filesystem::path(FREQSTORE_SOURCE_DIR) /
                                               "tests/golden/reference_logits" / name);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::unique_ptr<LoadedModel> Load(const std::string& path, std::shared_ptr<const Model>& model) {
  const std::string file = testutil::ReadFile(testutil::TestData(path));
  auto imported = Model::FromOnnx(AsBytes(file));
  INFO(imported.status());
  REQUIRE(imported.ok());
  model = *std::move(imported);
  auto loaded = LoadCpuModel(model);
  INFO(loaded.status());
  REQUIRE(loaded.ok());
  return *std::move(loaded);
}

std::unique_ptr<CpuTensor> Images(const std::string& name, const Model& model, int64_t count,
                                  uint32_t first_seed) {
  Shape shape = model.input().shape;
  shape[0] = count;
  std::unique_ptr<CpuTensor> tensor = CpuTensor::Allocate(DataType::kFloat32, shape).value();
  const size_t image = static_cast<size_t>(shape[1] * shape[2] * shape[3]);
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    testutil::PreprocessedImage(name, first_seed + static_cast<uint32_t>(i), static_cast<int>(shape[2]),
                                tensor->floats().data() + i * image);
  }
  return tensor;
}

std::ptrdiff_t ArgMax(std::span<const float> values) {
  return std::ranges::max_element(values) - values.begin();
}

/// Within a thousandth of the range of the reference.
void CheckClose(std::span<const float> values, std::span<const float> reference) {
  REQUIRE(values.size() == reference.size());
  const auto [low, high] = std::ranges::minmax(reference);
  float worst = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    REQUIRE(std::isfinite(values[i]));
    worst = std::max(worst, std::abs(values[i] - reference[i]));
  }
  INFO("range " << high - low << ", worst difference " << worst);
  CHECK(worst <= 1e-3F * (high - low));
}

}  // namespace

TEST_CASE("ImageNet networks give the reference logits at every batch size") {
  const std::string name =
      GENERATE("mobilenet_v1_0.25_128.dq", "mobilenet_v1_0.25_128.fp32", "mobilenet_v1_0.5_160.dq",
               "mobilenet_v1_0.75_192.dq", "mobilenet_v2_1.0_224.dq", "squeezenet1.0_dc.fp32");
  CAPTURE(name);
  std::shared_ptr<const Model> model;
  const std::unique_ptr<LoadedModel> loaded = Load("models/imagenet/" + name + ".onnx", model);
  const std::vector<float> reference = ReadFloats(name + ".f32");
  constexpr size_t kClasses = 1000;
  constexpr size_t kImages = 4;
  REQUIRE(reference.size() == kImages * kClasses);

  for (const size_t batch : {size_t{4}, size_t{1}, size_t{3}}) {
    for (size_t first = 0; first + batch <= kImages; ++first) {
      CAPTURE(batch, first);
      const auto rows = static_cast<int64_t>(batch);
      // One row more than is run: what lies behind must not matter.
      const auto input = Images(name, *model, rows + 1, kFirstSeed + static_cast<uint32_t>(first));
      const auto outputs = loaded->Run(*input, rows);
      INFO(outputs.status());
      REQUIRE(outputs.ok());
      REQUIRE(outputs->size() == 1);
      CHECK((*outputs)[0]->shape() == Shape{rows, kClasses});
      const std::span<const float> logits = static_cast<const CpuTensor*>((*outputs)[0])->floats();
      for (size_t i = 0; i < batch; ++i) {
        const auto expected = std::span(reference).subspan((first + i) * kClasses, kClasses);
        CheckClose(logits.subspan(i * kClasses, kClasses), expected);
        CHECK(ArgMax(logits.subspan(i * kClasses, kClasses)) == ArgMax(expected));
      }
    }
  }
}

TEST_CASE("Other networks give the reference outputs") {
  const std::string name = GENERATE("deeplabv3_mnv2_dm05_pascal21.dq", "mobilenet_v2_inat_bird_965.dq");
  CAPTURE(name);
  std::shared_ptr<const Model> model;
  const std::unique_ptr<LoadedModel> loaded = Load("models/other/" + name + ".onnx", model);
  const std::vector<float> reference = ReadFloats(name + ".samples.f32");
  for (const int64_t rows : {1, 2}) {
    CAPTURE(rows);
    const auto outputs = loaded->Run(*Images(name, *model, rows, kFirstSeed), rows);
    INFO(outputs.status());
    REQUIRE(outputs.ok());
    const std::span<const float> all = static_cast<const CpuTensor*>((*outputs)[0])->floats();
    const std::span<const float> first = all.first(all.size() / static_cast<size_t>(rows));
    CHECK(std::ranges::all_of(all, [](float x) { return std::isfinite(x); }));
    std::vector<float> samples;
    const size_t step = first.size() / reference.size();
    for (size_t i = 0; i < reference.size(); ++i) samples.push_back(first[i * step]);
    CheckClose(samples, reference);
  }
}

TEST_CASE("What a model says of itself") {
  std::shared_ptr<const Model> model;
  Load("models/imagenet/mobilenet_v2_1.0_224.dq.onnx", model);
  CHECK(model->input().name == "input");
  CHECK(model->input().shape == Shape{-1, 3, 224, 224});
  REQUIRE(model->outputs().size() == 1);
  CHECK(model->outputs()[0].name == "logits");
  CHECK(model->outputs()[0].shape == Shape{-1, 1000});
  CHECK(model->parameters() == 3'487'816);
  CHECK(model->macs_per_image() / 1'000'000 == 300);
  CHECK(model->producer().starts_with("tfl2onnx"));
}

}  // namespace freqstore

// Runs small models on the CPU.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "gpu/cpu/model/cpu_model.h"
#include "gpu/cpu/model/cpu_tensor.h"
#include "gpu/model/model.h"
#include "storage/base/coding.h"
#include "storage/base/status.h"

namespace freqstore::testutil {

inline std::shared_ptr<const Model> ImportOrFail(const std::string& file) {
  auto model = Model::FromOnnx(AsBytes(file));
  INFO(model.status());
  REQUIRE(model.ok());
  return *std::move(model);
}

/// Deterministic values in -2..2, none of them round.
inline std::vector<float> Noise(int64_t count, uint32_t seed = 1) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525U + 1013904223U;
    values.push_back(static_cast<float>(seed >> 8) / static_cast<float>(1U << 22) - 2.F);
  }
  return values;
}

inline std::unique_ptr<CpuTensor> MakeTensor(const Shape& shape, const std::vector<float>& values) {
  std::unique_ptr<CpuTensor> tensor = CpuTensor::Allocate(DataType::kFloat32, shape).value();
  REQUIRE(tensor->floats().size() == values.size());
  std::copy(values.begin(), values.end(), tensor->floats().begin());
  return tensor;
}

struct Result {
  Shape shape;
  std::vector<float> values;
};

/// The first output for a batch of `shape`.
inline Result RunOnce(const std::string& file, const Shape& shape, const std::vector<float>& input) {
  auto loaded = LoadCpuModel(ImportOrFail(file));
  INFO(loaded.status());
  REQUIRE(loaded.ok());
  const std::unique_ptr<CpuTensor> tensor = MakeTensor(shape, input);
  const auto outputs = (*loaded)->Run(*tensor, shape[0]);
  INFO(outputs.status());
  REQUIRE(outputs.ok());
  const auto& output = static_cast<const CpuTensor&>(*(*outputs)[0]);
  return {output.shape(), {output.floats().begin(), output.floats().end()}};
}

inline void CheckNear(const std::vector<float>& values, const std::vector<float>& expected,
                      float tolerance = 1e-4F) {
  REQUIRE(values.size() == expected.size());
  for (size_t i = 0; i < values.size(); ++i) {
    INFO("element " << i << ": " << values[i] << ", expected " << expected[i]);
    REQUIRE(std::abs(values[i] - expected[i]) <= tolerance * (1.F + std::abs(expected[i])));
  }
}

}  // namespace freqstore::testutil

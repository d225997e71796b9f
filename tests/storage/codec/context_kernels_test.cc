// Holds every implementation of the context loops that this machine can run equal to the reference.
#include "storage/codec/context_kernels.h"

#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/coefficient_planes.h"
#include "tests/storage/codec/test_values.h"

namespace freqstore {
namespace {

constexpr size_t kSlack = CoefficientPlanes::kSlackValues;

const ContextKernels& Reference() {
  return GetContextKernels(SimdLevel::kScalar);
}

/// `values` with slack, which holds something.
template <typename Value>
std::vector<Value> WithSlack(std::vector<Value> values) {
  values.resize(values.size() + kSlack, Value{77});
  return values;
}

std::vector<int8_t> RandomBytes(size_t count, std::mt19937& random) {
  std::vector<int8_t> bytes(count);
  for (int8_t& byte : bytes) byte = random() % 3 == 0 ? int8_t{0} : static_cast<int8_t>(random());
  return bytes;
}

std::vector<int8_t> Clamp(const ContextKernels& kernels, const std::vector<int16_t>& values) {
  const std::vector<int16_t> input = WithSlack(values);
  std::vector<int8_t> out(input.size());
  kernels.clamp(input.data(), values.size(), out.data());
  out.resize(values.size());
  return out;
}

std::vector<uint8_t> Count(const ContextKernels& kernels, const std::vector<int8_t>& values) {
  const std::vector<int8_t> input = WithSlack(values);
  const size_t groups = (values.size() + 31) / 32;
  std::vector<uint8_t> out(groups + kSlack);
  kernels.count(input.data(), values.size(), out.data());
  out.resize(groups);
  return out;
}

struct Gradients {
  std::vector<int8_t> horizontal;
  std::vector<int8_t> vertical;
  friend bool operator==(const Gradients&, const Gradients&) = default;
};

Gradients GradientsOf(const ContextKernels& kernels, const std::vector<int16_t>& dc, size_t width) {
  const std::vector<int16_t> input = WithSlack(dc);
  Gradients out{std::vector<int8_t>(input.size()), std::vector<int8_t>(input.size())};
  kernels.gradients(input.data(), width, dc.size() / width, out.horizontal.data(), out.vertical.data());
  out.horizontal.resize(dc.size());
  out.vertical.resize(dc.size());
  return out;
}

}  // namespace

TEST_CASE("The reference clamps, counts and differences", "[context]") {
  CHECK(Clamp(Reference(), {-32768, -129, -128, -1, 0, 1, 127, 128, 32767}) ==
        std::vector<int8_t>{-128, -128, -128, -1, 0, 1, 127, 127, 127});

  std::vector<int8_t> values(40, 0);
  values[0] = values[31] = -128;
  values[32] = 1;
  CHECK(Count(Reference(), values) == std::vector<uint8_t>{2, 1});

  // A grid of 3 x 2.
  const Gradients gradients = GradientsOf(Reference(), {1, 4, 9, 100, -32768, 32767}, 3);
  CHECK(gradients.horizontal == std::vector<int8_t>{3, 8, 5, -128, 127, 127});
  CHECK(gradients.vertical == std::vector<int8_t>{99, -128, 127, 99, -128, 127});
  CHECK(GradientsOf(Reference(), {5}, 1) == Gradients{{0}, {0}});
}

TEST_CASE("Every implementation clamps and counts as the reference does", "[context]") {
  std::mt19937 random(5);
  for (size_t count : {1u, 2u, 15u, 16u, 31u, 32u, 33u, 63u, 64u, 65u, 95u, 200u, 1023u}) {
    CAPTURE(count);
    std::vector<int16_t> values = testutil::MixedValues(count, random);
    values.front() = INT16_MIN;
    values.back() = INT16_MAX;
    const std::vector<int8_t> bytes = RandomBytes(count, random);
    for (SimdLevel level : SupportedSimdLevels()) {
      CAPTURE(SimdLevelName(level));
      const ContextKernels& kernels = GetContextKernels(level);
      CHECK(Clamp(kernels, values) == Clamp(Reference(), values));
      CHECK(Count(kernels, bytes) == Count(Reference(), bytes));
      CHECK(Count(kernels, std::vector<int8_t>(count, 0)) ==
            Count(Reference(), std::vector<int8_t>(count, 0)));
    }
  }
}

TEST_CASE("Every implementation differences DC as the reference does", "[context]") {
  std::mt19937 random(6);
  for (size_t width : {1u, 2u, 3u, 15u, 16u, 17u, 18u, 19u, 33u, 34u, 35u, 100u}) {
    for (size_t height : {1u, 2u, 3u, 17u}) {
      CAPTURE(width, height);
      std::vector<int16_t> dc = testutil::MixedValues(width * height, random);
      for (size_t i = 0; i < dc.size(); i += 5) dc[i] = random() % 2 == 0 ? INT16_MIN : INT16_MAX;
      const Gradients expected = GradientsOf(Reference(), dc, width);
      for (SimdLevel level : SupportedSimdLevels()) {
        CAPTURE(SimdLevelName(level));
        CHECK(GradientsOf(GetContextKernels(level), dc, width) == expected);
      }
    }
  }
}

}  // namespace freqstore

// Matrix products and operators that move values about, on the CPU, against their definitions.
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/gpu/model/onnx_builder.h"
#include "tests/gpu/model/run_model.h"

namespace freqstore {
namespace {

using testutil::CheckNear;
using testutil::Noise;
using testutil::OnnxBuilder;
using testutil::RunOnce;

const Shape kShape = {2, 3, 4, 5};
const Shape kAnyBatch = {-1, 3, 4, 5};

std::vector<float> Map(std::vector<float> values, const std::function<float(float)>& f) {
  std::ranges::transform(values, values.begin(), f);
  return values;
}

size_t At(const Shape& shape, int64_t n, int64_t c, int64_t y, int64_t x) {
  return static_cast<size_t>(((n * shape[1] + c) * shape[2] + y) * shape[3] + x);
}

}  // namespace

TEST_CASE("Gemm with factors, transposes and every kind of C") {
  const bool transposed = GENERATE(false, true);
  const Shape c_shape = GENERATE(Shape{7}, Shape{1, 7}, Shape{1}, Shape{});
  const float alpha = GENERATE(1.F, .5F);
  CAPTURE(transposed, ToString(c_shape), alpha);
  const std::vector<float> input = Noise(120);
  const std::vector<float> weights = Noise(60 * 7, 2);
  const std::vector<float> c = Noise(ElementCount(c_shape), 3);
  OnnxBuilder builder(kAnyBatch);
  builder.Floats("w", transposed ? Shape{7, 60} : Shape{60, 7}, weights).Floats("c", c_shape, c);
  builder.Node("Flatten", {"x"}, {"f"})
      .Node("Gemm", {"f", "w", "c"}, {"g"})
      .Int("transB", transposed ? 1 : 0);
  builder.Float("alpha", alpha).Float("beta", 2).Node("Relu", {"g"}, {"y"});
  std::vector<float> expected;
  for (size_t n = 0; n < 2; ++n) {
    for (size_t o = 0; o < 7; ++o) {
      float sum = 0;
      for (size_t k = 0; k < 60; ++k) sum += input[n * 60 + k] * weights[transposed ? o * 60 + k : k * 7 + o];
      expected.push_back(std::max(0.F, alpha * sum + 2 * c[c.size() == 1 ? 0 : o]));
    }
  }
  CheckNear(RunOnce(builder.Serialize(), kShape, input).values, expected, 1e-3F);
}

TEST_CASE("MatMul by a constant matrix") {
  OnnxBuilder builder(kAnyBatch);
  const std::vector<float> weights = Noise(10, 2);
  builder.Floats("w", {5, 2}, weights).Node("MatMul", {"x", "w"}, {"y"});
  const std::vector<float> input = Noise(120);
  const auto result = RunOnce(builder.Serialize(), kShape, input);
  CHECK(result.shape == Shape{2, 3, 4, 2});
  std::vector<float> expected;
  for (size_t row = 0; row < 24; ++row) {
    for (size_t o = 0; o < 2; ++o) {
      float sum = 0;
      for (size_t k = 0; k < 5; ++k) sum += input[row * 5 + k] * weights[k * 2 + o];
      expected.push_back(sum);
    }
  }
  CheckNear(result.values, expected);
}

TEST_CASE("Softmax over an axis, and over all that follows before opset 13") {
  const std::vector<float> input = Noise(120);
  auto check = [&](int opset, int64_t axis, size_t outer, size_t length, size_t inner) {
    CAPTURE(opset, axis);
    OnnxBuilder builder(kAnyBatch, opset);
    builder.Node("Softmax", {"x"}, {"y"}).Int("axis", axis);
    std::vector<float> expected = Map(input, [](float x) { return std::exp(x); });
    for (size_t o = 0; o < outer; ++o) {
      for (size_t i = 0; i < inner; ++i) {
        float sum = 0;
        for (size_t k = 0; k < length; ++k) sum += expected[(o * length + k) * inner + i];
        for (size_t k = 0; k < length; ++k) expected[(o * length + k) * inner + i] /= sum;
      }
    }
    const auto result = RunOnce(builder.Serialize(), kShape, input);
    CHECK(result.shape == kShape);
    CheckNear(result.values, expected);
  };
  check(13, 1, 2, 3, 20);
  check(13, -1, 24, 5, 1);
  check(11, 1, 2, 60, 1);
  check(11, 3, 24, 5, 1);
}

TEST_CASE("Operators that move values") {
  const std::vector<float> input = Noise(120);
  OnnxBuilder transpose(kAnyBatch);
  transpose.Node("Transpose", {"x"}, {"y"}).Ints("perm", {0, 2, 3, 1});
  auto result = RunOnce(transpose.Serialize(), kShape, input);
  CHECK(result.shape == Shape{2, 4, 5, 3});
  for (int64_t i = 0; i < 120; ++i) {
    CHECK(result.values[static_cast<size_t>(i)] == input[At(kShape, i / 60, i % 3, i / 15 % 4, i / 3 % 5)]);
  }

  OnnxBuilder pad(kAnyBatch);
  pad.Int64s("p", {8}, {0, 0, 1, 0, 0, 1, 0, 2}).Floats("v", {}, {9}).Node("Pad", {"x", "p", "v"}, {"y"});
  result = RunOnce(pad.Serialize(), kShape, input);
  CHECK(result.shape == Shape{2, 4, 5, 7});
  for (int64_t i = 0; i < 280; ++i) {
    const int64_t x = i % 7;
    const int64_t y = i / 7 % 5 - 1;
    const int64_t c = i / 35 % 4;
    const bool inside = x < 5 && y >= 0 && c < 3;
    CHECK(result.values[static_cast<size_t>(i)] == (inside ? input[At(kShape, i / 140, c, y, x)] : 9));
  }

  OnnxBuilder expand(kAnyBatch);
  expand.Node("GlobalMaxPool", {"x"}, {"m"}).Int64s("s", {4}, {1, 1, 2, 3}).Node("Expand", {"m", "s"}, {"y"});
  result = RunOnce(expand.Serialize(), kShape, input);
  CHECK(result.shape == Shape{2, 3, 2, 3});
  for (size_t i = 0; i < 36; ++i)
    CHECK(result.values[i] == *std::max_element(&input[i / 6 * 20], &input[i / 6 * 20] + 20));

  OnnxBuilder reshape(kAnyBatch);
  reshape.Int64s("s", {3}, {0, -1, 4}).Int64s("a", {1}, {1}).Node("Reshape", {"x", "s"}, {"r"});
  reshape.Node("Unsqueeze", {"r", "a"}, {"u"}).Node("Squeeze", {"u", "a"}, {"y"});
  result = RunOnce(reshape.Serialize(), kShape, input);
  CHECK(result.shape == Shape{2, 15, 4});
  CHECK(result.values == input);
}

TEST_CASE("Concat of channels that fill blocks and of channels that do not") {
  const int64_t channels = GENERATE(3, 16, 17);
  CAPTURE(channels);
  OnnxBuilder builder(kAnyBatch);
  builder.Floats("w", {channels, 3, 1, 1}, Noise(channels * 3, 2));
  builder.Node("Conv", {"x", "w"}, {"c"}).Node("Concat", {"c", "x", "c"}, {"y"}).Int("axis", 1);
  OnnxBuilder plain(kAnyBatch);
  plain.Floats("w", {channels, 3, 1, 1}, Noise(channels * 3, 2)).Node("Conv", {"x", "w"}, {"y"});
  const std::vector<float> input = Noise(120);
  const std::vector<float> conv = RunOnce(plain.Serialize(), kShape, input).values;
  std::vector<float> expected;
  for (size_t n = 0; n < 2; ++n) {
    const auto part = std::span(conv).subspan(n * conv.size() / 2, conv.size() / 2);
    expected.insert(expected.end(), part.begin(), part.end());
    expected.insert(expected.end(), input.begin() + static_cast<std::ptrdiff_t>(n * 60),
                    input.begin() + static_cast<std::ptrdiff_t>(n * 60 + 60));
    expected.insert(expected.end(), part.begin(), part.end());
  }
  const auto result = RunOnce(builder.Serialize(), kShape, input);
  CHECK(result.shape == Shape{2, 2 * channels + 3, 4, 5});
  CheckNear(result.values, expected);
}

TEST_CASE("Resize: the examples of the ONNX specification") {
  auto resize = [](const std::string& mode, const std::string& coordinates, const Shape& in, float scale_h,
                   float scale_w, const std::vector<float>& input,
                   const std::string& nearest = "round_prefer_floor") {
    OnnxBuilder builder({-1, 1, in[0], in[1]});
    builder.Floats("s", {4}, {1, 1, scale_h, scale_w})
        .Node("Resize", {"x", "", "s"}, {"y"})
        .String("mode", mode);
    builder.String("coordinate_transformation_mode", coordinates).String("nearest_mode", nearest);
    return RunOnce(builder.Serialize(), {1, 1, in[0], in[1]}, input).values;
  };
  const std::vector<float> four = {1, 2, 3, 4};
  const std::vector<float> eight = {1, 2, 3, 4, 5, 6, 7, 8};
  CheckNear(resize("linear", "half_pixel", {2, 2}, 2, 2, four),
            {1, 1.25F, 1.75F, 2, 1.5F, 1.75F, 2.25F, 2.5F, 2.5F, 2.75F, 3.25F, 3.5F, 3, 3.25F, 3.75F, 4});
  CheckNear(resize("linear", "align_corners", {2, 2}, 2, 2, four),
            {1, 1.33333F, 1.66667F, 2, 1.66667F, 2, 2.33333F, 2.66667F, 2.33333F, 2.66667F, 3, 3.33333F, 3,
             3.33333F, 3.66667F, 4});
  CheckNear(resize("linear", "half_pixel", {2, 4}, .6F, .6F, eight), {2.6666665F, 4.3333331F});
  CheckNear(resize("linear", "align_corners", {2, 4}, .6F, .6F, eight), {1, 4});
  CheckNear(resize("nearest", "half_pixel", {2, 2}, 2, 3, four),
            {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4});
  CheckNear(resize("nearest", "half_pixel", {2, 4}, .6F, .6F, eight), {1, 3});
  CheckNear(resize("nearest", "asymmetric", {2, 2}, 1.5F, 1.5F, four, "floor"), {1, 1, 2, 1, 1, 2, 3, 3, 4});
  CheckNear(resize("nearest", "asymmetric", {2, 2}, 1.5F, 1.5F, four, "ceil"), {1, 2, 2, 3, 4, 4, 3, 4, 4});
}

}  // namespace freqstore

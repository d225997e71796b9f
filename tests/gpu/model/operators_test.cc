// Each operator on the CPU against its definition written as plainly as possible.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

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

/// One operator of no parameters on kShape.
void CheckUnary(
    const std::string& op, const std::function<float(float)>& f,
    const std::function<void(OnnxBuilder&)>& attributes = [](OnnxBuilder&) {}) {
  CAPTURE(op);
  const std::vector<float> input = Noise(120);
  OnnxBuilder alone(kAnyBatch, 14);
  alone.Node(op, {"x"}, {"y"});
  attributes(alone);
  CheckNear(RunOnce(alone.Serialize(), kShape, input).values, Map(input, f));

  // Behind a Conv that doubles, where it becomes a post-op.
  OnnxBuilder fused(kAnyBatch, 14);
  fused.Floats("w", {3, 1, 1, 1}, {2, 2, 2}).Node("Conv", {"x", "w"}, {"c"}).Int("group", 3);
  fused.Node(op, {"c"}, {"y"});
  attributes(fused);
  CheckNear(RunOnce(fused.Serialize(), kShape, input).values, Map(input, [&](float x) { return f(2 * x); }));
}

struct ConvCase {
  int64_t channels_in, channels_out, groups, kernel_h, kernel_w, stride, dilation;
  std::vector<int64_t> pads;  // top, left, bottom, right
};

std::vector<float> PlainConv(const ConvCase& c, const std::vector<float>& input, const Shape& in,
                             const std::vector<float>& weights, const std::vector<float>& bias, Shape& out) {
  const int64_t reach_h = (c.kernel_h - 1) * c.dilation + 1;
  const int64_t reach_w = (c.kernel_w - 1) * c.dilation + 1;
  out = {in[0], c.channels_out, (in[2] + c.pads[0] + c.pads[2] - reach_h) / c.stride + 1,
         (in[3] + c.pads[1] + c.pads[3] - reach_w) / c.stride + 1};
  const int64_t group_in = c.channels_in / c.groups;
  const int64_t group_out = c.channels_out / c.groups;
  std::vector<float> result(static_cast<size_t>(ElementCount(out)));
  for (int64_t i = 0; i < ElementCount(out); ++i) {
    const int64_t x = i % out[3];
    const int64_t y = i / out[3] % out[2];
    const int64_t o = i / (out[3] * out[2]) % out[1];
    const int64_t n = i / (out[3] * out[2] * out[1]);
    float sum = bias[static_cast<size_t>(o)];
    for (int64_t k = 0; k < group_in * c.kernel_h * c.kernel_w; ++k) {
      const int64_t kx = k % c.kernel_w;
      const int64_t ky = k / c.kernel_w % c.kernel_h;
      const int64_t channel = k / (c.kernel_w * c.kernel_h);
      const int64_t from_y = y * c.stride - c.pads[0] + ky * c.dilation;
      const int64_t from_x = x * c.stride - c.pads[1] + kx * c.dilation;
      if (from_y < 0 || from_y >= in[2] || from_x < 0 || from_x >= in[3]) continue;
      sum += input[At(in, n, o / group_out * group_in + channel, from_y, from_x)] *
             weights[static_cast<size_t>(o * group_in * c.kernel_h * c.kernel_w + k)];
    }
    result[static_cast<size_t>(i)] = sum;
  }
  return result;
}

}  // namespace

TEST_CASE("Conv with groups, strides, dilations and uneven padding") {
  const ConvCase c =
      GENERATE(ConvCase{3, 8, 1, 3, 3, 1, 1, {1, 1, 1, 1}}, ConvCase{3, 8, 1, 3, 3, 2, 1, {0, 0, 1, 1}},
               ConvCase{16, 16, 16, 3, 3, 1, 1, {1, 1, 1, 1}}, ConvCase{20, 20, 20, 3, 3, 2, 1, {0, 1, 1, 0}},
               ConvCase{16, 16, 16, 3, 3, 1, 2, {2, 2, 2, 2}}, ConvCase{6, 4, 2, 3, 1, 1, 1, {1, 0, 1, 0}},
               ConvCase{8, 16, 8, 3, 3, 1, 1, {1, 1, 1, 1}}, ConvCase{24, 17, 1, 1, 1, 1, 1, {0, 0, 0, 0}},
               ConvCase{4, 4, 1, 1, 1, 1, 1, {1, 1, 1, 1}}, ConvCase{5, 7, 1, 2, 5, 3, 1, {0, 4, 1, 2}});
  CAPTURE(c.channels_in, c.channels_out, c.groups, c.kernel_h, c.stride, c.dilation);
  const Shape in = {2, c.channels_in, 9, 11};
  const Shape weight_shape = {c.channels_out, c.channels_in / c.groups, c.kernel_h, c.kernel_w};
  const std::vector<float> weights = Noise(ElementCount(weight_shape), 3);
  const std::vector<float> bias = Noise(c.channels_out, 4);
  OnnxBuilder builder({-1, in[1], in[2], in[3]});
  builder.Floats("w", weight_shape, weights)
      .Floats("b", {c.channels_out}, bias)
      .Node("Conv", {"x", "w", "b"}, {"y"});
  builder.Int("group", c.groups)
      .Ints("strides", {c.stride, c.stride})
      .Ints("dilations", {c.dilation, c.dilation});
  builder.Ints("pads", c.pads);
  const std::vector<float> input = Noise(ElementCount(in));
  Shape out;
  const std::vector<float> expected = PlainConv(c, input, in, weights, bias, out);
  const auto result = RunOnce(builder.Serialize(), in, input);
  CHECK(result.shape == out);
  CheckNear(result.values, expected);
}

TEST_CASE("Conv that pads by itself") {
  const std::string mode = GENERATE("SAME_UPPER", "SAME_LOWER", "VALID");
  CAPTURE(mode);
  ConvCase c{3, 4, 1, 3, 3, 2, 1, {0, 0, 0, 0}};
  if (mode == "SAME_UPPER") c.pads = {0, 1, 1, 1};  // 6 rows need one of padding, 5 columns two
  if (mode == "SAME_LOWER") c.pads = {1, 1, 0, 1};
  const Shape in = {1, 3, 6, 5};
  const std::vector<float> weights = Noise(4 * 27, 3);
  OnnxBuilder builder({-1, 3, 6, 5});
  builder.Floats("w", {4, 3, 3, 3}, weights).Node("Conv", {"x", "w"}, {"y"}).String("auto_pad", mode);
  builder.Ints("strides", {2, 2});
  const std::vector<float> input = Noise(ElementCount(in));
  Shape out;
  const std::vector<float> expected = PlainConv(c, input, in, weights, {0, 0, 0, 0}, out);
  const auto result = RunOnce(builder.Serialize(), in, input);
  CHECK(result.shape == out);
  CheckNear(result.values, expected);
}

TEST_CASE("Activations, alone and behind a Conv") {
  CheckUnary("Relu", [](float x) { return std::max(x, 0.F); });
  CheckUnary(
      "LeakyRelu", [](float x) { return x < 0 ? .25F * x : x; },
      [](OnnxBuilder& b) { b.Float("alpha", .25F); });
  CheckUnary("Sigmoid", [](float x) { return 1 / (1 + std::exp(-x)); });
  CheckUnary("HardSigmoid", [](float x) { return std::clamp(.2F * x + .5F, 0.F, 1.F); });
  CheckUnary("HardSwish", [](float x) { return x * std::clamp(x / 6 + .5F, 0.F, 1.F); });
}

TEST_CASE("Clip by inputs, by attributes and on one side") {
  const std::vector<float> input = Noise(120);
  OnnxBuilder both(kAnyBatch);
  both.Floats("lo", {}, {-1}).Floats("hi", {}, {.5F}).Node("Clip", {"x", "lo", "hi"}, {"y"});
  CheckNear(RunOnce(both.Serialize(), kShape, input).values,
            Map(input, [](float x) { return std::clamp(x, -1.F, .5F); }));
  OnnxBuilder above(kAnyBatch);
  above.Floats("hi", {}, {.5F}).Node("Clip", {"x", "", "hi"}, {"y"});
  CheckNear(RunOnce(above.Serialize(), kShape, input).values,
            Map(input, [](float x) { return std::min(x, .5F); }));
  OnnxBuilder old(kAnyBatch, 7);
  old.Node("Clip", {"x"}, {"y"}).Float("min", 0.F).Float("max", 1.F);
  CheckNear(RunOnce(old.Serialize(), kShape, input).values,
            Map(input, [](float x) { return std::clamp(x, 0.F, 1.F); }));
}

TEST_CASE("Pools") {
  // One row of a plane: windows of 3, two apart.
  const Shape in = {1, 1, 1, 6};
  const std::vector<float> input = {1, 2, 3, 4, 5, 9};
  auto pool = [&](const std::string& op, int64_t ceil_mode, const std::function<void(OnnxBuilder&)>& more) {
    OnnxBuilder builder({-1, 1, 1, 6});
    builder.Node(op, {"x"}, {"y"})
        .Ints("kernel_shape", {1, 3})
        .Ints("strides", {1, 2})
        .Int("ceil_mode", ceil_mode);
    more(builder);
    return RunOnce(builder.Serialize(), in, input).values;
  };
  auto nothing = [](OnnxBuilder&) {};
  auto padded = [](OnnxBuilder& b) { b.Ints("pads", {0, 1, 0, 1}); };
  CheckNear(pool("MaxPool", 0, nothing), {3, 5});
  CheckNear(pool("MaxPool", 1, nothing), {3, 5, 9});
  CheckNear(pool("MaxPool", 0, padded), {2, 4, 9});
  CheckNear(pool("AveragePool", 0, nothing), {2, 4});
  CheckNear(pool("AveragePool", 1, nothing), {2, 4, 7});
  CheckNear(pool("AveragePool", 0, padded), {1.5F, 3, 6});
  CheckNear(pool("AveragePool", 0, [&](OnnxBuilder& b) { padded(b), b.Int("count_include_pad", 1); }),
            {1, 3, 6});
  OnnxBuilder dilated({-1, 1, 1, 6});
  dilated.Node("MaxPool", {"x"}, {"y"}).Ints("kernel_shape", {1, 2}).Ints("dilations", {1, 3});
  CheckNear(RunOnce(dilated.Serialize(), in, {7, 2, 3, 4, 5, 9}).values, {7, 5, 9});
}

TEST_CASE("Means over planes and over anything") {
  const std::vector<float> input = Noise(120);
  std::vector<float> means;
  for (size_t plane = 0; plane < 6; ++plane) {
    means.push_back(std::accumulate(&input[plane * 20], &input[plane * 20] + 20, 0.F) / 20);
  }
  auto run = [&](const std::function<void(OnnxBuilder&)>& build, const Shape& shape) {
    OnnxBuilder builder(kAnyBatch);
    build(builder);
    const auto result = RunOnce(builder.Serialize(), kShape, input);
    CHECK(result.shape == shape);
    return result.values;
  };
  CheckNear(run([](OnnxBuilder& b) { b.Node("GlobalAveragePool", {"x"}, {"y"}); }, {2, 3, 1, 1}), means);
  CheckNear(run(
                [](OnnxBuilder& b) {
                  b.Node("ReduceMean", {"x"}, {"y"}).Ints("axes", {2, 3});
                },
                {2, 3, 1, 1}),
            means);
  CheckNear(run(
                [](OnnxBuilder& b) {
                  b.Node("ReduceMean", {"x"}, {"y"}).Ints("axes", {-1, -2}).Int("keepdims", 0);
                },
                {2, 3}),
            means);
  std::vector<float> over_channels(40, 0.F);
  for (size_t i = 0; i < 120; ++i) over_channels[i / 60 * 20 + i % 20] += input[i] / 3;
  CheckNear(
      run([](OnnxBuilder& b) { b.Node("ReduceMean", {"x"}, {"y"}).Ints("axes", {1}).Int("keepdims", 0); },
          {2, 4, 5}),
      over_channels);
  OnnxBuilder of_one({-1, 1, 4, 5});
  of_one.Node("ReduceMean", {"x"}, {"y"}).Ints("axes", {1}).Int("keepdims", 0);
  CHECK(RunOnce(of_one.Serialize(), {6, 1, 4, 5}, input).values == input);
}

TEST_CASE("Arithmetic with every kind of broadcast") {
  const std::vector<float> input = Noise(120);
  auto run = [&](const std::string& op, const Shape& other, bool constant_first, auto expect) {
    CAPTURE(op, ToString(other), constant_first);
    const std::vector<float> values = Map(Noise(ElementCount(other), 9), [](float x) { return x + 3; });
    OnnxBuilder builder(kAnyBatch);
    builder.Floats("k", other, values);
    builder.Node(op, constant_first ? std::vector<std::string>{"k", "x"} : std::vector<std::string>{"x", "k"},
                 {"y"});
    const auto result = RunOnce(builder.Serialize(), kShape, input);
    CHECK(result.shape == kShape);
    std::vector<float> expected;
    for (size_t i = 0; i < 120; ++i) {
      size_t at = 0;
      if (other == Shape{3, 1, 1}) at = i / 20 % 3;
      if (other == Shape{5}) at = i % 5;
      if (other == Shape{4, 1}) at = i / 5 % 4;
      expected.push_back(constant_first ? expect(values[at], input[i]) : expect(input[i], values[at]));
    }
    CheckNear(result.values, expected);
  };
  for (const Shape& other : {Shape{3, 1, 1}, Shape{5}, Shape{4, 1}, Shape{1}, Shape{}}) {
    run("Add", other, false, std::plus<>());
    run("Sub", other, true, std::minus<>());
    run("Mul", other, true, std::multiplies<>());
    run("Div", other, false, std::divides<>());
  }
}

TEST_CASE("A gate a channel, as in squeeze-and-excitation") {
  OnnxBuilder builder({-1, 16, 4, 5});
  builder.Floats("w", {16, 16, 1, 1}, Noise(256, 2));
  builder.Node("Conv", {"x", "w"}, {"c"})
      .Node("GlobalAveragePool", {"c"}, {"p"})
      .Node("Sigmoid", {"p"}, {"g"});
  builder.Node("Mul", {"c", "g"}, {"y"});
  OnnxBuilder plain({-1, 16, 4, 5});
  plain.Floats("w", {16, 16, 1, 1}, Noise(256, 2)).Node("Conv", {"x", "w"}, {"y"});
  const std::vector<float> input = Noise(640);
  std::vector<float> expected = RunOnce(plain.Serialize(), {2, 16, 4, 5}, input).values;
  for (size_t plane = 0; plane < 32; ++plane) {
    const auto values = std::span(expected).subspan(plane * 20, 20);
    const float mean = std::accumulate(values.begin(), values.end(), 0.F) / 20;
    for (float& x : values) x /= 1 + std::exp(-mean);
  }
  CheckNear(RunOnce(builder.Serialize(), {2, 16, 4, 5}, input).values, expected);
}

}  // namespace freqstore

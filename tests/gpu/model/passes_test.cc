// What the passes leave of a graph.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/model/graph.h"
#include "gpu/model/operator_registry.h"
#include "tests/gpu/model/onnx_builder.h"
#include "tests/gpu/model/run_model.h"

namespace freqstore {
namespace {

using testutil::CheckNear;
using testutil::ImportOrFail;
using testutil::Noise;
using testutil::OnnxBuilder;
using testutil::RunOnce;

std::vector<std::string> OperatorsOf(const Model& model) {
  std::vector<std::string> names;
  for (const Node& node : model.graph().nodes) names.emplace_back(node.def->name);
  return names;
}

OnnxBuilder WithPointwiseWeights() {
  OnnxBuilder builder({-1, 4, 5, 5});
  builder.Floats("w", {4, 4, 1, 1}, Noise(16));
  return builder;
}

const Shape kTwoImages = {2, 4, 5, 5};
constexpr int64_t kTwoImagesElements = 200;

}  // namespace

TEST_CASE("Every operator that devices run is one the CPU has") {
  for (const OperatorDef* def : OperatorRegistry::Get().All()) {
    CAPTURE(std::string(def->name));
    CHECK((FindLowering(def->name) != nullptr) == (def->runs == OperatorDef::Runs::kOnDevice));
  }
}

TEST_CASE("Quantised weights are folded, per tensor and per axis") {
  OnnxBuilder per_tensor({-1, 2, 1, 1});
  per_tensor.Raw("q", {1, 2, 1, 1}, onnx::TensorProto::UINT8, std::string("\x80\x02", 2));
  per_tensor.Floats("s", {}, {0.5F}).Raw("z", {}, onnx::TensorProto::UINT8, "\x7e");
  per_tensor.Node("DequantizeLinear", {"q", "s", "z"}, {"w"}).Node("Conv", {"x", "w"}, {"y"});
  CHECK(OperatorsOf(*ImportOrFail(per_tensor.Serialize())) == std::vector<std::string>{"Conv"});
  CheckNear(RunOnce(per_tensor.Serialize(), {1, 2, 1, 1}, {3, 5}).values, {3 * 1.F + 5 * -62.F});

  OnnxBuilder per_axis({-1, 2, 1, 1});
  per_axis.Raw("q", {2, 2, 1, 1}, onnx::TensorProto::INT8, std::string("\x01\x02\xff\xfe", 4));
  per_axis.Floats("s", {2}, {0.5F, 2.F});
  per_axis.Node("DequantizeLinear", {"q", "s"}, {"w"}).Int("axis", 0).Node("Conv", {"x", "w"}, {"y"});
  CheckNear(RunOnce(per_axis.Serialize(), {1, 2, 1, 1}, {3, 5}).values, {0.5F * 13, 2.F * -13});
}

TEST_CASE("Shape computations follow the batch") {
  OnnxBuilder builder({-1, 4, 5, 5}, 12);
  builder.Int64s("zero", {}, {0}).Int64s("minus", {1}, {-1});
  builder.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "zero"}, {"n"}).Int("axis", 0);
  builder.Node("Unsqueeze", {"n"}, {"n1"}).Ints("axes", {0});
  builder.Node("Concat", {"n1", "minus"}, {"target"}).Int("axis", 0);
  builder.Node("Reshape", {"x", "target"}, {"y"});
  const auto model = ImportOrFail(builder.Serialize());
  CHECK(model->outputs()[0].shape == Shape{-1, 100});
  const std::vector<float> input = Noise(kTwoImagesElements);
  const auto result = RunOnce(builder.Serialize(), kTwoImages, input);
  CHECK(result.shape == Shape{2, 100});
  CHECK(result.values == input);
}

TEST_CASE("BatchNormalization goes into the Conv before it, or becomes Mul and Add") {
  const std::vector<float> input = Noise(kTwoImagesElements);
  auto with_norm = [](bool conv) {
    OnnxBuilder builder = WithPointwiseWeights();
    builder.Floats("gamma", {4}, {1, 2, 3, 4}).Floats("beta", {4}, {-1, 0, 1, 2});
    builder.Floats("mean", {4}, {.1F, .2F, .3F, .4F}).Floats("var", {4}, {1, 2, .5F, 4});
    if (conv) builder.Node("Conv", {"x", "w"}, {"c"});
    builder.Node("BatchNormalization", {conv ? "c" : "x", "gamma", "beta", "mean", "var"}, {"y"});
    return builder.Serialize();
  };
  auto normalised = [](std::vector<float> values) {
    const std::vector<float> gamma = {1, 2, 3, 4};
    const std::vector<float> beta = {-1, 0, 1, 2};
    const std::vector<float> mean = {.1F, .2F, .3F, .4F};
    const std::vector<float> var = {1, 2, .5F, 4};
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t c = i / 25 % 4;
      values[i] = (values[i] - mean[c]) / std::sqrt(var[c] + 1e-5F) * gamma[c] + beta[c];
    }
    return values;
  };
  CHECK(OperatorsOf(*ImportOrFail(with_norm(true))) == std::vector<std::string>{"Conv"});
  CHECK(OperatorsOf(*ImportOrFail(with_norm(false))) == std::vector<std::string>{"Mul", "Add"});
  CheckNear(RunOnce(with_norm(false), kTwoImages, input).values, normalised(input));
  OnnxBuilder plain = WithPointwiseWeights();
  plain.Node("Conv", {"x", "w"}, {"y"});
  CheckNear(RunOnce(with_norm(true), kTwoImages, input).values,
            normalised(RunOnce(plain.Serialize(), kTwoImages, input).values));
}

TEST_CASE("A residual block becomes two nodes, and is right even where others read the residual") {
  const std::vector<float> input = Noise(kTwoImagesElements);
  // y = relu(conv(r) + r), with r = conv(x); then, if `reread`, + r once more.
  auto block = [](bool fused, bool reread) {
    OnnxBuilder builder = WithPointwiseWeights();
    builder.Node("Conv", {"x", "w"}, {"r"}).Node("Conv", {"r", "w"}, {"c"});
    if (!fused) builder.graph().add_output()->set_name("c");  // another reader keeps the Conv as it is
    builder.Node("Add", {"c", "r"}, {"a"}).Node("Relu", {"a"}, {reread ? "b" : "y"});
    if (reread) builder.Node("Sub", {"b", "r"}, {"y"});
    return builder.Serialize();
  };
  for (const bool reread : {false, true}) {
    CAPTURE(reread);
    const auto model = ImportOrFail(block(true, reread));
    CHECK(model->graph().nodes.size() == (reread ? 3 : 2));
    CHECK(model->graph().nodes[1].post_ops.size() == 2);
    CheckNear(RunOnce(block(true, reread), kTwoImages, input).values,
              RunOnce(block(false, reread), kTwoImages, input).values);
  }
}

TEST_CASE("A residual that is the input of its own Conv is not overwritten too early") {
  // y = conv3x3(r) + r, where r has no other reader.
  auto block = [](bool fused) {
    OnnxBuilder builder = WithPointwiseWeights();
    builder.Floats("w3", {4, 4, 3, 3}, Noise(144, 5));
    builder.Node("Conv", {"x", "w"}, {"r"}).Node("Conv", {"r", "w3"}, {"c"}).Ints("pads", {1, 1, 1, 1});
    if (!fused) builder.graph().add_output()->set_name("c");
    builder.Node("Add", {"r", "c"}, {"y"});
    return builder.Serialize();
  };
  const std::vector<float> input = Noise(kTwoImagesElements);
  CHECK(ImportOrFail(block(true))->graph().nodes.size() == 2);
  CheckNear(RunOnce(block(true), kTwoImages, input).values, RunOnce(block(false), kTwoImages, input).values);
}

TEST_CASE("A residual that comes after the Conv in the file is known when it is added") {
  OnnxBuilder builder = WithPointwiseWeights();
  builder.Node("Conv", {"x", "w"}, {"c"}).Node("MaxPool", {"x"}, {"s"}).Ints("kernel_shape", {1, 1});
  builder.Node("Add", {"c", "s"}, {"y"});
  CHECK(OperatorsOf(*ImportOrFail(builder.Serialize())) == std::vector<std::string>{"MaxPool", "Conv"});
  OnnxBuilder plain = WithPointwiseWeights();
  plain.Node("Conv", {"x", "w"}, {"y"});
  const std::vector<float> input = Noise(kTwoImagesElements);
  std::vector<float> expected = RunOnce(plain.Serialize(), kTwoImages, input).values;
  std::transform(expected.begin(), expected.end(), input.begin(), expected.begin(), std::plus<>());
  CheckNear(RunOnce(builder.Serialize(), kTwoImages, input).values, expected);
}

TEST_CASE("What nobody reads is dropped, what only renames is too") {
  OnnxBuilder builder = WithPointwiseWeights();
  builder.Node("Conv", {"x", "w"}, {"unused"})
      .Node("Identity", {"x"}, {"i"})
      .Node("Dropout", {"i"}, {"d", "mask"});
  builder.Node("Cast", {"d"}, {"f"}).Int("to", onnx::TensorProto::FLOAT).Node("Relu", {"f"}, {"r"});
  builder.Node("Identity", {"r"}, {"y"});
  const auto model = ImportOrFail(builder.Serialize());
  CHECK(OperatorsOf(*model) == std::vector<std::string>{"Relu"});
  CHECK(model->outputs()[0].name == "y");
  CHECK(model->parameters() == 0);
}

TEST_CASE("A model that returns its input, twice") {
  OnnxBuilder builder({-1, 4, 5, 5});
  builder.Node("Identity", {"x"}, {"y"}).Node("Relu", {"x"}, {"z"}).Node("Identity", {"z"}, {"z2"});
  builder.graph().add_output()->set_name("z");
  builder.graph().add_output()->set_name("z2");
  const std::vector<float> input = Noise(kTwoImagesElements);
  auto loaded = LoadCpuModel(ImportOrFail(builder.Serialize())).value();
  const auto outputs = loaded->Run(*testutil::MakeTensor(kTwoImages, input), 2).value();
  REQUIRE(outputs.size() == 3);
  for (size_t i = 0; i < input.size(); ++i) {
    CHECK(static_cast<const CpuTensor*>(outputs[0])->floats()[i] == input[i]);
    CHECK(static_cast<const CpuTensor*>(outputs[1])->floats()[i] == std::max(0.F, input[i]));
    CHECK(static_cast<const CpuTensor*>(outputs[2])->floats()[i] == std::max(0.F, input[i]));
  }
}

}  // namespace freqstore

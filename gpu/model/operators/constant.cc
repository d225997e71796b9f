// Operators whose result is known before the model runs: constants, shapes, and weights stored as integers.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "gpu/model/node_context.h"
#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using FoldsFrom = OperatorDef::FoldsFrom;
using Runs = OperatorDef::Runs;

absl::StatusOr<HostTensor> EvaluateConstant(const NodeContext& context) {
  const Attributes& attributes = context.attributes();
  if (HostTensorPtr tensor = attributes.Tensor("value")) return *tensor;
  if (attributes.Has("value_int")) {
    const int64_t value = attributes.Int("value_int", 0);
    return HostTensor::Of<int64_t>({}, {&value, 1});
  }
  if (attributes.Has("value_float")) {
    const float value = attributes.Float("value_float", 0);
    return HostTensor::Of<float>({}, {&value, 1});
  }
  if (attributes.Has("value_floats")) {
    const std::vector<float> values = attributes.Floats("value_floats");
    return HostTensor::Of<float>({static_cast<int64_t>(values.size())}, values);
  }
  const std::vector<int64_t> values = attributes.Ints("value_ints", {});
  return HostTensor::Of<int64_t>({static_cast<int64_t>(values.size())}, values);
}

absl::Status InferConstant(NodeContext& context) {
  if (context.attributes().begin() == context.attributes().end()) return context.Invalid("has no value");
  ASSIGN_OR_RETURN(const HostTensor tensor, EvaluateConstant(context));
  context.SetOutput(tensor.type(), tensor.shape());
  return absl::OkStatus();
}

/// The one-element tensor that ConstantOfShape repeats.
HostTensor Filling(const NodeContext& context) {
  const HostTensorPtr value = context.attributes().Tensor("value");
  return value != nullptr && value->elements() == 1 ? *value : HostTensor(DataType::kFloat32, {1});
}

absl::Status InferConstantOfShape(NodeContext& context) {
  ASSIGN_OR_RETURN(const auto shape, context.IntsParameter("", 0));
  if (!CheckedElementCount(*shape)) return context.Invalid(fmt::format("shape {}", ToString(*shape)));
  context.SetOutput(Filling(context).type(), *shape);
  return absl::OkStatus();
}

absl::StatusOr<HostTensor> EvaluateConstantOfShape(const NodeContext& context) {
  const HostTensor filling = Filling(context);
  HostTensor result(filling.type(), context.output_shape());
  const size_t size = filling.bytes().size();
  for (size_t at = 0; at < result.bytes().size(); at += size)
    std::ranges::copy(filling.bytes(), &result.bytes()[at]);
  return result;
}

absl::Status InferShape(NodeContext& context) {
  context.SetOutput(DataType::kInt64, {context.rank(0)});
  return absl::OkStatus();
}

absl::StatusOr<HostTensor> EvaluateShape(const NodeContext& context) {
  return HostTensor::Of<int64_t>({context.rank(0)}, context.shape(0));
}

absl::Status InferDequantize(NodeContext& context) {
  const DataType type = context.type(0);
  if (type == DataType::kFloat32 || type == DataType::kInt64) {
    return context.Invalid(fmt::format("cannot dequantise {}", NameOf(type)));
  }
  RETURN_IF_ERROR(context.ExpectFloat(1));
  const Shape& scale = context.shape(1);
  if (ElementCount(scale) != 1) {
    ASSIGN_OR_RETURN(const int64_t axis, context.Axis(context.attributes().Int("axis", 1), context.rank(0)));
    if (scale != Shape{context.shape(0)[static_cast<size_t>(axis)]}) {
      return context.Invalid(
          fmt::format("scales of {} along axis {} of {}", ToString(scale), axis, ToString(context.shape(0))));
    }
  }
  if (context.HasInput(2) &&
      (context.type(2) != type || ElementCount(context.shape(2)) != ElementCount(scale))) {
    return context.Invalid("the zero point does not match the scale and the input");
  }
  context.SetOutput(DataType::kFloat32, context.shape(0));
  return absl::OkStatus();
}

template <typename T>
void Dequantize(const NodeContext& context, size_t inner, std::span<float> out) {
  auto values = context.constant(0)->values<T>();
  auto scales = context.constant(1)->values<float>();
  const HostTensor* zero = context.constant(2);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t channel = (i / inner) % scales.size();
    const int64_t origin = zero == nullptr ? 0 : zero->values<T>()[channel];
    out[i] = static_cast<float>(values[i] - origin) * scales[channel];
  }
}

absl::StatusOr<HostTensor> EvaluateDequantize(const NodeContext& context) {
  HostTensor result(DataType::kFloat32, context.output_shape());
  size_t inner = 1;
  if (ElementCount(context.shape(1)) != 1) {
    ASSIGN_OR_RETURN(const int64_t axis, context.Axis(context.attributes().Int("axis", 1), context.rank(0)));
    for (size_t d = static_cast<size_t>(axis) + 1; d < context.shape(0).size(); ++d) {
      inner *= static_cast<size_t>(context.shape(0)[d]);
    }
  }
  switch (context.type(0)) {
    case DataType::kUint8:
      Dequantize<uint8_t>(context, inner, result.values<float>());
      break;
    case DataType::kInt8:
      Dequantize<int8_t>(context, inner, result.values<float>());
      break;
    default:
      Dequantize<int32_t>(context, inner, result.values<float>());
      break;
  }
  return result;
}

}  // namespace

void AddConstantOperators(OperatorRegistry& registry) {
  registry.Add(
      {.name = "Constant",
       .inputs_min = 0,
       .inputs_max = 0,
       .attributes = {TensorAttribute("value"), IntAttribute("value_int"), FloatAttribute("value_float"),
                      IntsAttribute("value_ints"), FloatsAttribute("value_floats")},
       .runs = Runs::kFolded,
       .infer = InferConstant,
       .evaluate = EvaluateConstant,
       .folds_from = FoldsFrom::kValues});
  registry.Add({.name = "ConstantOfShape",
                .attributes = {TensorAttribute("value")},
                .runs = Runs::kFolded,
                .infer = InferConstantOfShape,
                .evaluate = EvaluateConstantOfShape,
                .folds_from = FoldsFrom::kValues});
  registry.Add({.name = "Shape",
                .runs = Runs::kFolded,
                .infer = InferShape,
                .evaluate = EvaluateShape,
                .folds_from = FoldsFrom::kShapes});
  registry.Add({.name = "DequantizeLinear",
                .inputs_min = 2,
                .inputs_max = 3,
                .attributes = {IntAttribute("axis")},
                .runs = Runs::kFolded,
                .infer = InferDequantize,
                .evaluate = EvaluateDequantize,
                .folds_from = FoldsFrom::kValues});
}

}  // namespace freqstore

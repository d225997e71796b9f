// Operators that keep the values and their order: new shapes, copies under another name, casts.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gpu/model/node_context.h"
#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr auto kFromValues = OperatorDef::FoldsFrom::kValues;
constexpr float kInt64Limit = 9.2e18F;

absl::StatusOr<HostTensor> EvaluateReshaped(const NodeContext& context) {
  return context.constant(0)->Reshaped(context.output_shape());
}

absl::Status InferReshape(NodeContext& context) {
  ASSIGN_OR_RETURN(const auto target, context.IntsParameter("", 1));
  const Shape& input = context.shape(0);
  const bool copies_zero = context.attributes().Int("allowzero", 0) == 0;
  Shape shape = *target;
  std::optional<size_t> rest;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0 && copies_zero) {
      if (d >= input.size()) return context.Invalid("a 0 in the shape stands for no dimension of the input");
      shape[d] = input[d];
    } else if (shape[d] == -1) {
      if (rest) return context.Invalid("the shape has two dimensions of -1");
      rest = d;
      shape[d] = 1;
    }
  }
  const int64_t elements = ElementCount(input);
  std::optional<int64_t> count = CheckedElementCount(shape);
  if (count && rest && *count > 0) {
    shape[*rest] = elements / *count;
    count = CheckedElementCount(shape);
  }
  if (count != elements) {
    return context.Invalid(fmt::format("{} cannot become {}", ToString(input), ToString(*target)));
  }
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferFlatten(NodeContext& context) {
  const int64_t rank = context.rank(0);
  int64_t axis = context.attributes().Int("axis", 1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis > rank) return context.Invalid(fmt::format("axis {} of {} dimensions", axis, rank));
  const auto split = context.shape(0).begin() + axis;
  context.SetOutput(context.type(0), {ElementCount(Shape(context.shape(0).begin(), split)),
                                      ElementCount(Shape(split, context.shape(0).end()))});
  return absl::OkStatus();
}

absl::Status InferSqueeze(NodeContext& context) {
  ASSIGN_OR_RETURN(const auto listed, context.IntsParameter("axes", 1));
  std::vector<int64_t> axes;
  if (listed) {
    ASSIGN_OR_RETURN(axes, context.Axes(*listed, context.rank(0)));
  }
  Shape shape;
  for (int64_t d = 0; d < context.rank(0); ++d) {
    const int64_t extent = context.shape(0)[static_cast<size_t>(d)];
    const bool goes = listed ? std::ranges::binary_search(axes, d) : extent == 1;
    if (goes && extent != 1) return context.Invalid(fmt::format("dimension {} is {}, not 1", d, extent));
    if (!goes) shape.push_back(extent);
  }
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferUnsqueeze(NodeContext& context) {
  ASSIGN_OR_RETURN(const auto listed, context.IntsParameter("axes", 1));
  if (!listed) return context.Invalid("has no axes");
  const int64_t rank = context.rank(0) + static_cast<int64_t>(listed->size());
  ASSIGN_OR_RETURN(const std::vector<int64_t> axes, context.Axes(*listed, rank));
  Shape shape = context.shape(0);
  for (int64_t axis : axes) shape.insert(shape.begin() + axis, 1);
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferUnchanged(NodeContext& context) {
  context.SetOutput(context.type(0), context.shape(0));
  return absl::OkStatus();
}

absl::Status InferDropout(NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectConstant(2, "training_mode"));
  if (const HostTensor* training = context.constant(2)) {
    const bool on = std::ranges::any_of(training->bytes(), [](std::byte b) { return b != std::byte{0}; });
    if (on) return UnsupportedAttribute(context.node(), "training_mode", "training is not supported");
  }
  return InferUnchanged(context);
}

absl::StatusOr<DataType> TypeOfOnnx(const NodeContext& context, int64_t onnx_type) {
  switch (onnx_type) {
    case 1:
      return DataType::kFloat32;
    case 2:
      return DataType::kUint8;
    case 3:
      return DataType::kInt8;
    case 6:
      return DataType::kInt32;
    case 7:
      return DataType::kInt64;
    default:
      return UnsupportedAttribute(context.node(), "to", fmt::format("type {} is not supported", onnx_type));
  }
}

absl::Status InferCast(NodeContext& context) {
  ASSIGN_OR_RETURN(const DataType type, TypeOfOnnx(context, context.attributes().Int("to", 0)));
  context.SetOutput(type, context.shape(0));
  return absl::OkStatus();
}

absl::StatusOr<HostTensor> EvaluateCast(const NodeContext& context) {
  const HostTensor& input = *context.constant(0);
  const DataType to = context.output_type();
  if (input.type() == to) return input;
  HostTensor result(to, input.shape());
  if (input.type() == DataType::kFloat32) {
    if (to != DataType::kInt64)
      return UnsupportedAttribute(context.node(), "to", "float32 to a small integer");
    std::ranges::transform(input.values<float>(), result.values<int64_t>().begin(), [](float x) {
      return x == x ? static_cast<int64_t>(std::clamp(x, -kInt64Limit, kInt64Limit)) : int64_t{0};
    });
    return result;
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> values, ToInt64s(input));
  auto convert = [&]<typename T>(T) {
    std::ranges::transform(values, result.values<T>().begin(), [](int64_t x) { return static_cast<T>(x); });
  };
  switch (to) {
    case DataType::kFloat32:
      convert(float{});
      break;
    case DataType::kInt64:
      convert(int64_t{});
      break;
    case DataType::kInt32:
      convert(int32_t{});
      break;
    case DataType::kUint8:
      convert(uint8_t{});
      break;
    case DataType::kInt8:
      convert(int8_t{});
      break;
  }
  return result;
}

OperatorDef Reshaping(std::string_view name, size_t inputs_min, size_t inputs_max,
                      std::vector<AttributeSpec> attributes, absl::Status (*infer)(NodeContext&)) {
  return {.name = name,
          .inputs_min = inputs_min,
          .inputs_max = inputs_max,
          .attributes = std::move(attributes),
          .infer = infer,
          .evaluate = EvaluateReshaped,
          .folds_from = kFromValues};
}

}  // namespace

void AddReshapeOperators(OperatorRegistry& registry) {
  registry.Add(Reshaping("Reshape", 2, 2, {IntAttribute("allowzero")}, InferReshape));
  registry.Add(Reshaping("Flatten", 1, 1, {IntAttribute("axis")}, InferFlatten));
  registry.Add(Reshaping("Squeeze", 1, 2, {IntsAttribute("axes")}, InferSqueeze));
  registry.Add(Reshaping("Unsqueeze", 1, 2, {IntsAttribute("axes")}, InferUnsqueeze));
  OperatorDef identity = Reshaping("Identity", 1, 1, {}, InferUnchanged);
  identity.passes_through = true;
  registry.Add(std::move(identity));
  OperatorDef dropout =
      Reshaping("Dropout", 1, 3, {FloatAttribute("ratio"), IntAttribute("seed")}, InferDropout);
  dropout.passes_through = true;
  registry.Add(std::move(dropout));
  registry.Add({.name = "Cast",
                .attributes = {IntAttribute("saturate"), IntAttribute("to")},
                .passes_through = true,
                .infer = InferCast,
                .evaluate = EvaluateCast,
                .folds_from = kFromValues});
}

}  // namespace freqstore

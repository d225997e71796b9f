#include "gpu/model/operators/normalization.h"

#include <cmath>

#include <fmt/format.h>

#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<SoftmaxGeometry> ResolveSoftmax(const NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0, 1));
  // Before opset 13 everything from the axis on was one distribution.
  const bool flattens = context.opset() < 13;
  const Shape& shape = context.shape(0);
  ASSIGN_OR_RETURN(const int64_t axis,
                   context.Axis(context.attributes().Int("axis", flattens ? 1 : -1), context.rank(0)));
  SoftmaxGeometry softmax;
  for (int64_t d = 0; d < context.rank(0); ++d) {
    const int64_t extent = shape[static_cast<size_t>(d)];
    if (d < axis) {
      softmax.outer *= extent;
    } else if (d == axis || flattens) {
      softmax.length *= extent;
    } else {
      softmax.inner *= extent;
    }
  }
  return softmax;
}

absl::StatusOr<ChannelAffine> ResolveBatchNormalization(const NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0, 2));
  const int64_t channels = context.shape(0)[1];
  for (size_t i = 1; i < 5; ++i) {
    RETURN_IF_ERROR(context.ExpectConstant(i, "a parameter"));
    RETURN_IF_ERROR(context.ExpectFloat(i));
    if (context.shape(i) != Shape{channels}) {
      return context.Invalid(
          fmt::format("a parameter of {} does not fit {} channels", ToString(context.shape(i)), channels));
    }
  }
  const float epsilon = context.attributes().Float("epsilon", 1e-5F);
  auto gamma = context.constant(1)->values<float>();
  auto beta = context.constant(2)->values<float>();
  auto mean = context.constant(3)->values<float>();
  auto variance = context.constant(4)->values<float>();
  ChannelAffine affine;
  for (size_t c = 0; c < gamma.size(); ++c) {
    const float scale = gamma[c] / std::sqrt(variance[c] + epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(beta[c] - mean[c] * scale);
  }
  return affine;
}

namespace {

absl::Status InferSoftmax(NodeContext& context) {
  if (absl::StatusOr<SoftmaxGeometry> softmax = ResolveSoftmax(context); !softmax.ok())
    return softmax.status();
  context.SetOutput(DataType::kFloat32, context.shape(0));
  return absl::OkStatus();
}

absl::Status InferBatchNormalization(NodeContext& context) {
  if (absl::StatusOr<ChannelAffine> affine = ResolveBatchNormalization(context); !affine.ok()) {
    return affine.status();
  }
  context.SetOutput(DataType::kFloat32, context.shape(0));
  return absl::OkStatus();
}

}  // namespace

void AddNormalizationOperators(OperatorRegistry& registry) {
  registry.Add({.name = "Softmax", .attributes = {IntAttribute("axis")}, .infer = InferSoftmax});
  registry.Add(
      {.name = "BatchNormalization",
       .inputs_min = 5,
       .inputs_max = 5,
       .attributes = {FloatAttribute("epsilon"), FloatAttribute("momentum"),
                      IntAttribute("spatial", {int64_t{1}}), IntAttribute("training_mode", {int64_t{0}})},
       .runs = OperatorDef::Runs::kRewritten,
       .infer = InferBatchNormalization});
}

}  // namespace freqstore

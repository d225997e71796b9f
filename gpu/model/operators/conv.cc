#include "gpu/model/operators/conv.h"

#include <utility>

#include <fmt/format.h>

#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<ConvGeometry> ResolveConv(const NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0, 3));
  RETURN_IF_ERROR(context.ExpectConstant(1, "the weights"));
  RETURN_IF_ERROR(context.ExpectConstant(2, "the bias"));
  RETURN_IF_ERROR(context.ExpectFloat(1));
  const Shape& input = context.shape(0);
  const Shape& weights = context.shape(1);
  ConvGeometry conv;
  conv.groups = context.attributes().Int("group", 1);
  conv.channels_in = input[1];
  if (weights.size() != input.size() || conv.groups < 1 || conv.channels_in % conv.groups != 0 ||
      weights[1] != conv.channels_in / conv.groups || weights[0] < 1 || weights[0] % conv.groups != 0) {
    return context.Invalid(fmt::format("weights of {} in {} groups do not fit an input of {}",
                                       ToString(weights), conv.groups, ToString(input)));
  }
  conv.channels_out = weights[0];
  if (context.HasInput(2) &&
      (context.type(2) != DataType::kFloat32 || context.shape(2) != Shape{conv.channels_out})) {
    return context.Invalid(
        fmt::format("a bias of {} does not fit {} channels", ToString(context.shape(2)), conv.channels_out));
  }
  std::vector<int64_t> kernel(weights.begin() + 2, weights.end());
  if (context.attributes().Ints("kernel_shape", kernel) != kernel) {
    return context.Invalid("attribute 'kernel_shape' differs from the shape of the weights");
  }
  ASSIGN_OR_RETURN(conv.window, ResolveWindow(context, std::move(kernel), false));
  return conv;
}

namespace {

absl::Status InferConv(NodeContext& context) {
  ASSIGN_OR_RETURN(const ConvGeometry conv, ResolveConv(context));
  Shape output = {context.shape(0)[0], conv.channels_out};
  output.insert(output.end(), conv.window.output.begin(), conv.window.output.end());
  context.SetOutput(DataType::kFloat32, std::move(output));
  return absl::OkStatus();
}

int64_t ConvMacs(const NodeContext& context) {
  const Shape& weights = context.shape(1);
  return ElementCount(context.output_shape()) * (ElementCount(weights) / weights[0]);
}

}  // namespace

void AddConvOperators(OperatorRegistry& registry) {
  registry.Add(
      {.name = "Conv",
       .inputs_min = 2,
       .inputs_max = 3,
       .attributes = {StringAttribute("auto_pad", {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}),
                      IntsAttribute("dilations"), IntAttribute("group"), IntsAttribute("kernel_shape"),
                      IntsAttribute("pads"), IntsAttribute("strides")},
       .takes_activations = true,
       .takes_residual = true,
       .infer = InferConv,
       .macs = ConvMacs});
}

}  // namespace freqstore

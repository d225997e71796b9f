#include "gpu/model/operators/activation.h"

#include <limits>
#include <string_view>

#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

absl::Status InferActivation(NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0));
  if (absl::StatusOr<PostOp> post_op = ResolveActivation(context); !post_op.ok()) return post_op.status();
  context.SetOutput(DataType::kFloat32, context.shape(0));
  return absl::OkStatus();
}

}  // namespace

bool IsActivation(const Node& node) {
  return node.def->infer == InferActivation;
}

absl::StatusOr<PostOp> ResolveActivation(const NodeContext& context) {
  using Kind = PostOp::Kind;
  const std::string_view name = context.node().def->name;
  const Attributes& attributes = context.attributes();
  if (name == "Relu") return PostOp{.kind = Kind::kRelu};
  if (name == "LeakyRelu") return PostOp{.kind = Kind::kLeakyRelu, .alpha = attributes.Float("alpha", 0.01F)};
  if (name == "Sigmoid") return PostOp{.kind = Kind::kSigmoid};
  if (name == "HardSwish") return PostOp{.kind = Kind::kHardSwish};
  if (name == "HardSigmoid") {
    return PostOp{.kind = Kind::kHardSigmoid,
                  .alpha = attributes.Float("alpha", 0.2F),
                  .beta = attributes.Float("beta", 0.5F)};
  }
  ASSIGN_OR_RETURN(const std::optional<float> low, context.FloatParameter("min", 1));
  ASSIGN_OR_RETURN(const std::optional<float> high, context.FloatParameter("max", 2));
  return PostOp{.kind = Kind::kClip,
                .alpha = low.value_or(std::numeric_limits<float>::lowest()),
                .beta = high.value_or(std::numeric_limits<float>::max())};
}

void AddActivationOperators(OperatorRegistry& registry) {
  registry.Add({.name = "Relu", .infer = InferActivation});
  registry.Add({.name = "LeakyRelu", .attributes = {FloatAttribute("alpha")}, .infer = InferActivation});
  registry.Add({.name = "Sigmoid", .infer = InferActivation});
  registry.Add({.name = "HardSwish", .infer = InferActivation});
  registry.Add({.name = "HardSigmoid",
                .attributes = {FloatAttribute("alpha"), FloatAttribute("beta")},
                .infer = InferActivation});
  registry.Add({.name = "Clip",
                .inputs_max = 3,
                .attributes = {FloatAttribute("min"), FloatAttribute("max")},
                .infer = InferActivation});
}

}  // namespace freqstore

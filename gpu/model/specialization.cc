#include "gpu/model/specialization.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "gpu/model/operator_def.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr size_t kRankMax = 8;
constexpr int64_t kElementsMax = int64_t{1} << 40;
constexpr int64_t kFoldedBytesMax = int64_t{256} << 20;

bool CanEvaluate(const Node& node, const NodeContext& context) {
  switch (node.def->folds_from) {
    case OperatorDef::FoldsFrom::kNothing:
      return false;
    case OperatorDef::FoldsFrom::kShapes:
      return true;
    case OperatorDef::FoldsFrom::kValues:
      break;
  }
  for (size_t i = 0; i < context.input_count(); ++i) {
    if (context.HasInput(i) && context.constant(i) == nullptr) return false;
  }
  return true;
}

/// What a device can run: a float32 result of a bounded, non-empty shape.
absl::Status CheckRunnable(const Node& node, const ValueState& output) {
  if (node.def->runs == OperatorDef::Runs::kFolded) {
    return UnsupportedNode(node, "is supported only where its result is known before the model runs");
  }
  if (output.type != DataType::kFloat32) {
    return MakeError(absl::StatusCode::kUnimplemented, "UNSUPPORTED_TYPE",
                     fmt::format("{}: values of {} are not supported while the model runs", Describe(node),
                                 NameOf(output.type)));
  }
  const std::optional<int64_t> elements = CheckedElementCount(output.shape);
  if (!elements || *elements == 0 || *elements > kElementsMax || output.shape.size() > kRankMax) {
    return InvalidNode(node, fmt::format("a result of shape {}", ToString(output.shape)));
  }
  return absl::OkStatus();
}

std::vector<size_t> NodesToRun(const Graph& graph, const ValueTable& values) {
  std::vector<bool> needed(values.size(), false);
  for (const GraphOutput& output : graph.outputs) needed[static_cast<size_t>(output.value)] = true;
  std::vector<size_t> schedule;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    const auto output = static_cast<size_t>(node.outputs[0]);
    if (!needed[output] || values[output].constant != nullptr) continue;
    schedule.push_back(i);
    for (ValueId id : node.inputs) {
      if (id != kNoValue) needed[static_cast<size_t>(id)] = true;
    }
  }
  std::ranges::reverse(schedule);
  return schedule;
}

}  // namespace

ValueTable StatesOf(const Graph& graph) {
  ValueTable values(graph.values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const Value& value = graph.values[i];
    values[i] = {.known = true, .type = value.type, .shape = value.shape, .constant = value.constant};
  }
  return values;
}

absl::Status VisitNode(const Node& node, int opset, ValueTable& values, FoldBudget& budget) {
  NodeContext context(node, opset, values);
  RETURN_IF_ERROR(node.def->infer(context));
  if (!CanEvaluate(node, context)) return absl::OkStatus();
  const std::optional<int64_t> elements = CheckedElementCount(context.output_shape());
  const auto element_bytes = static_cast<int64_t>(SizeOf(context.output_type()));
  if (!elements || *elements > kElementsMax || !budget.Take(*elements * element_bytes)) {
    return InvalidNode(node,
                       fmt::format("computes a constant of shape {}, which is more than the file may ask for",
                                   ToString(context.output_shape())));
  }
  ASSIGN_OR_RETURN(HostTensor result, node.def->evaluate(context));
  assert(result.shape() == context.output_shape());
  values[static_cast<size_t>(node.outputs[0])].constant =
      std::make_shared<const HostTensor>(std::move(result));
  return absl::OkStatus();
}

absl::StatusOr<Specialization> Specialize(const Graph& graph, std::span<const Shape> input_shapes) {
  assert(input_shapes.size() == graph.inputs.size());
  Specialization result;
  result.values.resize(graph.values.size());
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    if (value.constant == nullptr) continue;
    result.values[i] = {.known = true, .type = value.type, .shape = value.shape, .constant = value.constant};
  }
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    ValueState& state = result.values[static_cast<size_t>(graph.inputs[i])];
    state = {.known = true, .type = DataType::kFloat32, .shape = input_shapes[i], .constant = nullptr};
  }
  FoldBudget budget(kFoldedBytesMax);
  for (const Node& node : graph.nodes) {
    RETURN_IF_ERROR(VisitNode(node, graph.opset, result.values, budget));
    const ValueState& output = result.values[static_cast<size_t>(node.outputs[0])];
    if (output.constant == nullptr) RETURN_IF_ERROR(CheckRunnable(node, output));
  }
  result.schedule = NodesToRun(graph, result.values);
  return result;
}

}  // namespace freqstore

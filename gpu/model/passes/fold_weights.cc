#include <fmt/format.h>

#include "gpu/model/operator_registry.h"
#include "gpu/model/operators/normalization.h"
#include "gpu/model/passes.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

/// The Conv of y = scale * conv(x) + shift.
void ScaleConv(Graph& graph, Node& conv, const ChannelAffine& affine) {
  HostTensor weights = *graph.ConstantOf(conv.inputs[1]);
  const size_t channels = affine.scale.size();
  const size_t each = weights.values<float>().size() / channels;
  HostTensor bias(DataType::kFloat32, {static_cast<int64_t>(channels)});
  const HostTensor* old_bias = conv.inputs.size() > 2 ? graph.ConstantOf(conv.inputs[2]) : nullptr;
  for (size_t c = 0; c < channels; ++c) {
    for (float& w : weights.values<float>().subspan(c * each, each)) w *= affine.scale[c];
    const float old = old_bias == nullptr ? 0 : old_bias->values<float>()[c];
    bias.values<float>()[c] = old * affine.scale[c] + affine.shift[c];
  }
  conv.inputs.resize(3, kNoValue);
  const std::string name = graph.values[static_cast<size_t>(conv.inputs[1])].name;
  conv.inputs[1] = graph.AddConstant(fmt::format("{} (folded)", name), std::move(weights));
  conv.inputs[2] = graph.AddConstant(fmt::format("{} (folded bias)", name), std::move(bias));
}

/// True for a Conv whose weights are at hand.
bool TakesFactors(const Graph& graph, const Node& node) {
  if (node.def->name != "Conv" || graph.ConstantOf(node.inputs[1]) == nullptr) return false;
  return node.inputs.size() < 3 || node.inputs[2] == kNoValue || graph.ConstantOf(node.inputs[2]) != nullptr;
}

/// A Mul and an Add that do what the normalisation does.
std::vector<Node> SplitNormalization(Graph& graph, const Node& norm, const ChannelAffine& affine) {
  const Value input = graph.values[static_cast<size_t>(norm.inputs[0])];
  Shape shape(input.shape.size() - 1, 1);
  shape[0] = static_cast<int64_t>(affine.scale.size());
  const ValueId scale =
      graph.AddConstant(fmt::format("{} (scale)", norm.name), HostTensor::Of<float>(shape, affine.scale));
  const ValueId shift =
      graph.AddConstant(fmt::format("{} (shift)", norm.name), HostTensor::Of<float>(shape, affine.shift));
  graph.values.push_back(
      {.name = fmt::format("{} (scaled)", norm.name), .type = input.type, .shape = input.shape});
  const auto product = static_cast<ValueId>(graph.values.size() - 1);
  const OperatorRegistry& registry = OperatorRegistry::Get();
  return {
      {.name = norm.name,
       .def = registry.Find("Mul"),
       .inputs = {norm.inputs[0], scale},
       .outputs = {product}},
      {.name = norm.name, .def = registry.Find("Add"), .inputs = {product, shift}, .outputs = norm.outputs}};
}

ValueId Scaled(Graph& graph, ValueId id, float factor) {
  HostTensor tensor = *graph.ConstantOf(id);
  for (float& x : tensor.values<float>()) x *= factor;
  return graph.AddConstant(fmt::format("{} (scaled)", graph.values[static_cast<size_t>(id)].name),
                           std::move(tensor));
}

}  // namespace

absl::Status ReplaceBatchNormalization(Graph& graph) {
  const std::vector<int> producers = graph.Producers();
  const std::vector<int> readers = graph.CountReaders();
  ValueTable values = StatesOf(graph);
  std::vector<int> position(graph.nodes.size(), -1);  // of each node among those kept
  std::vector<Node> kept;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    if (node.def->name != "BatchNormalization") {
      position[i] = static_cast<int>(kept.size());
      kept.push_back(std::move(node));
      continue;
    }
    ASSIGN_OR_RETURN(const ChannelAffine affine,
                     ResolveBatchNormalization(NodeContext(node, graph.opset, values)));
    const auto input = static_cast<size_t>(node.inputs[0]);
    const int producer = producers[input] < 0 ? -1 : position[static_cast<size_t>(producers[input])];
    if (producer >= 0 && readers[input] == 1 && TakesFactors(graph, kept[static_cast<size_t>(producer)])) {
      ScaleConv(graph, kept[static_cast<size_t>(producer)], affine);
      kept[static_cast<size_t>(producer)].outputs = node.outputs;
    } else {
      for (Node& part : SplitNormalization(graph, node, affine)) kept.push_back(std::move(part));
    }
  }
  graph.nodes = std::move(kept);
  return absl::OkStatus();
}

void FoldGemmFactors(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (node.def->name != "Gemm") continue;
    Attributes& attributes = node.attributes;
    const float alpha = attributes.Float("alpha", 1);
    const float beta = attributes.Float("beta", 1);
    if (alpha != 1 && graph.ConstantOf(node.inputs[1]) != nullptr) {
      node.inputs[1] = Scaled(graph, node.inputs[1], alpha);
      attributes.Remove("alpha");
    }
    if (beta != 1 && node.inputs.size() > 2 && graph.ConstantOf(node.inputs[2]) != nullptr) {
      node.inputs[2] = Scaled(graph, node.inputs[2], beta);
      attributes.Remove("beta");
    }
  }
}

}  // namespace freqstore

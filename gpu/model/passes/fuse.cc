#include <algorithm>
#include <utility>

#include "gpu/model/operator_def.h"
#include "gpu/model/operators/activation.h"
#include "gpu/model/passes.h"

namespace freqstore {
namespace {

constexpr size_t kPostOpsMax = 4;

void DropNodes(Graph& graph, const std::vector<bool>& gone) {
  std::vector<Node> kept;
  for (size_t i = 0; i < gone.size(); ++i) {
    if (!gone[i]) kept.push_back(std::move(graph.nodes[i]));
  }
  graph.nodes = std::move(kept);
}

/// The nodes that make values, and how often those are read.
class Producers {
 public:
  explicit Producers(const Graph& graph) : producers_(graph.Producers()), readers_(graph.CountReaders()) {}

  /// The node that makes `id`, or -1 if it is none or others read `id` too.
  int Sole(ValueId id) const {
    const auto value = static_cast<size_t>(id);
    return readers_[value] == 1 ? producers_[value] : -1;
  }
  void Set(ValueId id, size_t node) { producers_[static_cast<size_t>(id)] = static_cast<int>(node); }

 private:
  std::vector<int> producers_;
  std::vector<int> readers_;
};

bool TakesResidual(const Graph& graph, int node) {
  if (node < 0) return false;
  const Node& candidate = graph.nodes[static_cast<size_t>(node)];
  return candidate.def->takes_residual && candidate.post_ops.empty();
}

bool TakesActivation(const Graph& graph, int node) {
  if (node < 0) return false;
  const Node& candidate = graph.nodes[static_cast<size_t>(node)];
  return candidate.def->takes_activations && candidate.post_ops.size() < kPostOpsMax;
}

}  // namespace

void FuseResiduals(Graph& graph) {
  Producers producers(graph);
  std::vector<bool> gone(graph.nodes.size(), false);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& add = graph.nodes[i];
    if (add.def->name != "Add") continue;
    const Shape& shape = graph.values[static_cast<size_t>(add.outputs[0])].shape;
    const bool same_shape = std::ranges::all_of(add.inputs, [&](ValueId id) {
      const Value& value = graph.values[static_cast<size_t>(id)];
      return value.shape == shape && value.constant == nullptr;
    });
    if (!same_shape) continue;
    const int first = producers.Sole(add.inputs[0]);
    const int second = producers.Sole(add.inputs[1]);
    const int into =
        std::max(TakesResidual(graph, first) ? first : -1, TakesResidual(graph, second) ? second : -1);
    if (into < 0) continue;
    // The extended node stands where the Add stood: only there are both operands sure to be known.
    Node node = std::move(graph.nodes[static_cast<size_t>(into)]);
    node.inputs.resize(node.def->inputs_max, kNoValue);
    node.inputs.push_back(add.inputs[into == first ? 1 : 0]);
    node.outputs = add.outputs;
    node.post_ops.push_back({.kind = PostOp::Kind::kAdd});
    producers.Set(node.outputs[0], i);
    gone[static_cast<size_t>(into)] = true;
    graph.nodes[i] = std::move(node);
  }
  DropNodes(graph, gone);
}

void FuseActivations(Graph& graph) {
  Producers producers(graph);
  ValueTable values = StatesOf(graph);
  std::vector<bool> gone(graph.nodes.size(), false);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& activation = graph.nodes[i];
    if (!IsActivation(activation)) continue;
    const int into = producers.Sole(activation.inputs[0]);
    if (!TakesActivation(graph, into)) continue;
    const absl::StatusOr<PostOp> post_op = ResolveActivation(NodeContext(activation, graph.opset, values));
    if (!post_op.ok()) continue;
    Node& node = graph.nodes[static_cast<size_t>(into)];
    node.post_ops.push_back(*post_op);
    node.outputs = activation.outputs;
    producers.Set(node.outputs[0], static_cast<size_t>(into));
    gone[i] = true;
  }
  DropNodes(graph, gone);
}

}  // namespace freqstore

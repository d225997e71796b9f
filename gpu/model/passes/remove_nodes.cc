#include <algorithm>
#include <utility>

#include "gpu/model/operator_def.h"
#include "gpu/model/passes.h"

namespace freqstore {

void RemoveDeadNodes(Graph& graph) {
  std::vector<bool> read(graph.values.size(), false);
  for (const GraphOutput& output : graph.outputs) read[static_cast<size_t>(output.value)] = true;
  std::vector<Node> kept;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    Node& node = graph.nodes[i];
    const bool alive =
        std::ranges::any_of(node.outputs, [&](ValueId id) { return read[static_cast<size_t>(id)]; });
    if (!alive) continue;
    for (ValueId id : node.inputs) {
      if (id != kNoValue) read[static_cast<size_t>(id)] = true;
    }
    kept.push_back(std::move(node));
  }
  std::ranges::reverse(kept);
  graph.nodes = std::move(kept);
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (!read[i]) graph.values[i].constant = nullptr;
  }
}

void RemovePassThrough(Graph& graph) {
  std::vector<ValueId> same_as(graph.values.size());
  for (size_t i = 0; i < same_as.size(); ++i) same_as[i] = static_cast<ValueId>(i);
  std::vector<Node> kept;
  for (Node& node : graph.nodes) {
    for (ValueId& id : node.inputs) {
      if (id != kNoValue) id = same_as[static_cast<size_t>(id)];
    }
    const auto output = static_cast<size_t>(node.outputs[0]);
    const auto input = node.inputs.empty() ? output : static_cast<size_t>(node.inputs[0]);
    if (node.def->passes_through && graph.values[input].type == graph.values[output].type) {
      same_as[output] = node.inputs[0];
    } else {
      kept.push_back(std::move(node));
    }
  }
  graph.nodes = std::move(kept);
  for (GraphOutput& output : graph.outputs) output.value = same_as[static_cast<size_t>(output.value)];
}

}  // namespace freqstore

#include <algorithm>
#include <utility>

#include "gpu/model/operator_def.h"
#include "gpu/model/passes.h"
#include "storage/base/status.h"

namespace freqstore {

absl::Status FoldConstants(Graph& graph, FoldBudget& budget) {
  ValueTable values = StatesOf(graph);
  std::vector<Node> kept;
  for (Node& node : graph.nodes) {
    const bool known = std::ranges::all_of(node.inputs, [&](ValueId id) {
      return id == kNoValue || values[static_cast<size_t>(id)].constant != nullptr;
    });
    if (known && node.def->folds_from != OperatorDef::FoldsFrom::kNothing) {
      RETURN_IF_ERROR(VisitNode(node, graph.opset, values, budget));
      const auto id = static_cast<size_t>(node.outputs[0]);
      graph.values[id].type = values[id].type;
      graph.values[id].shape = values[id].shape;
      graph.values[id].constant = values[id].constant;
    } else {
      kept.push_back(std::move(node));
    }
  }
  graph.nodes = std::move(kept);
  return absl::OkStatus();
}

}  // namespace freqstore

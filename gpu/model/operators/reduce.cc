#include "gpu/model/operators/reduce.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<std::vector<int64_t>> ResolveReduceAxes(const NodeContext& context) {
  ASSIGN_OR_RETURN(const auto axes, context.IntsParameter("axes", 1));
  if (axes && !axes->empty()) return context.Axes(*axes, context.rank(0));
  std::vector<int64_t> all;
  if (context.attributes().Int("noop_with_empty_axes", 0) == 0) {
    all.resize(context.shape(0).size());
    std::iota(all.begin(), all.end(), 0);
  }
  return all;
}

namespace {

absl::Status InferReduce(NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0));
  ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ResolveReduceAxes(context));
  const bool keeps = context.attributes().Int("keepdims", 1) != 0;
  Shape shape;
  for (int64_t d = 0; d < context.rank(0); ++d) {
    if (!std::ranges::binary_search(axes, d)) {
      shape.push_back(context.shape(0)[static_cast<size_t>(d)]);
    } else if (keeps) {
      shape.push_back(1);
    }
  }
  context.SetOutput(DataType::kFloat32, std::move(shape));
  return absl::OkStatus();
}

}  // namespace

void AddReduceOperators(OperatorRegistry& registry) {
  registry.Add(
      {.name = "ReduceMean",
       .inputs_max = 2,
       .attributes = {IntsAttribute("axes"), IntAttribute("keepdims"), IntAttribute("noop_with_empty_axes")},
       .infer = InferReduce});
}

}  // namespace freqstore

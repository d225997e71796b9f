#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "gpu/model/operator_def.h"
#include "gpu/model/passes.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

int64_t CountMacs(const Graph& graph, Specialization& specialization) {
  int64_t macs = 0;
  for (size_t i : specialization.schedule) {
    const Node& node = graph.nodes[i];
    if (node.def->macs == nullptr) continue;
    if (__builtin_add_overflow(macs, node.def->macs(NodeContext(node, graph.opset, specialization.values)),
                               &macs)) {
      return 0;
    }
  }
  return macs;
}

/// kBatchDimension where the two differ; nullopt if even their ranks do.
std::optional<Shape> Merge(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return std::nullopt;
  Shape merged = a;
  for (size_t d = 0; d < a.size(); ++d) {
    if (a[d] != b[d]) merged[d] = kBatchDimension;
  }
  return merged;
}

bool IsRowAnImage(const Shape& two_images, const Shape& three_images) {
  return two_images.size() == three_images.size() && !two_images.empty() && two_images[0] == 2 &&
         three_images[0] == 3 &&
         std::equal(two_images.begin() + 1, two_images.end(), three_images.begin() + 1);
}

}  // namespace

absl::Status AnnotateShapes(Graph& graph, const Shape& input, int64_t& macs_per_image) {
  auto specialize = [&](int64_t batch) {
    Shape shape = input;
    shape[0] = batch;
    return Specialize(graph, {&shape, 1});
  };
  // Two sizes that no broadcast can confuse with each other or with 1 tell which dimensions follow the batch.
  ASSIGN_OR_RETURN(Specialization two, specialize(2));
  ASSIGN_OR_RETURN(Specialization three, specialize(3));
  for (const GraphOutput& output : graph.outputs) {
    const ValueState& in_two = two.values[static_cast<size_t>(output.value)];
    const ValueState& in_three = three.values[static_cast<size_t>(output.value)];
    if (in_two.constant != nullptr || !IsRowAnImage(in_two.shape, in_three.shape)) {
      return MakeError(absl::StatusCode::kUnimplemented, "UNSUPPORTED_SHAPE",
                       fmt::format("output {} is not one row an image: {} for two images, {} for three",
                                   Quoted(output.name), ToString(in_two.shape), ToString(in_three.shape)));
    }
  }
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (!two.values[i].known) continue;
    constexpr int64_t kElementsPerImageMax = int64_t{1} << 28;
    if (ElementCount(two.values[i].shape) > 2 * kElementsPerImageMax) {
      return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_MODEL",
                       fmt::format("value {} has shape {} for two images: too large",
                                   Quoted(graph.values[i].name), ToString(two.values[i].shape)));
    }
    const std::optional<Shape> merged = Merge(two.values[i].shape, three.values[i].shape);
    if (!merged) {
      return MakeError(
          absl::StatusCode::kUnimplemented, "UNSUPPORTED_SHAPE",
          fmt::format("the rank of value {} depends on the batch", Quoted(graph.values[i].name)));
    }
    graph.values[i].type = two.values[i].type;
    graph.values[i].shape = *merged;
  }
  macs_per_image = CountMacs(graph, three) - CountMacs(graph, two);
  return absl::OkStatus();
}

}  // namespace freqstore

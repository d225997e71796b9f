// A graph at one batch size: every shape a number, whatever follows from shapes a constant.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/model/graph.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// Bounds what constant folding may allocate: a few bytes of a file can ask for a tensor of any size.
class FoldBudget {
 public:
  explicit FoldBudget(int64_t bytes) : bytes_left_(bytes) {}
  /// False, taking nothing, if `bytes` are no longer left.
  bool Take(int64_t bytes) {
    if (bytes > bytes_left_) return false;
    bytes_left_ -= bytes;
    return true;
  }

 private:
  int64_t bytes_left_;
};

struct Specialization {
  ValueTable values;
  std::vector<size_t> schedule;  ///< the nodes that have to run, in order
};

/// Runs shape inference for inputs of `input_shapes` (as many as graph.inputs). Errors: INVALID_MODEL (shapes
/// that do not fit, dimensions of 0, values of more than 2^40 elements, constants beyond 256 MiB),
/// UNSUPPORTED_OPERATOR, UNSUPPORTED_ATTRIBUTE, UNSUPPORTED_TYPE (a value that is not float32 when the model
/// runs).
absl::StatusOr<Specialization> Specialize(const Graph& graph, std::span<const Shape> input_shapes);

/// Infers the node's output and, where its operator can and all it needs is known, computes it. Its inputs
/// are known.
absl::Status VisitNode(const Node& node, int opset, ValueTable& values, FoldBudget& budget);

/// What the graph itself says of its values: constants, and shapes once AnnotateShapes ran.
ValueTable StatesOf(const Graph& graph);

}  // namespace freqstore

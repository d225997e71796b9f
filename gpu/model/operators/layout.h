// Operators that move values about, as every device resolves them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// Transpose: dimension i of the result is dimension perm[i] of the input.
absl::StatusOr<std::vector<int64_t>> ResolveTranspose(const NodeContext& context);

/// Concat: the axis, 0..rank-1.
absl::StatusOr<int64_t> ResolveConcatAxis(const NodeContext& context);

/// Pad with a constant: how much before and after, an element a dimension, none negative.
struct PadGeometry {
  std::vector<int64_t> begin;
  std::vector<int64_t> end;
  float value = 0;
};

absl::StatusOr<PadGeometry> ResolvePad(const NodeContext& context);

}  // namespace freqstore

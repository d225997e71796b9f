// NumPy's broadcasting.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// The shape that both broadcast to. INVALID_MODEL if there is none.
absl::StatusOr<Shape> BroadcastShape(const NodeContext& context, const Shape& a, const Shape& b);

/// Row-major strides, in elements, to read a tensor of `shape` as one of `target`, which it broadcasts to: 0
/// along dimensions that repeat. As many as target has dimensions.
std::vector<int64_t> BroadcastStrides(const Shape& shape, const Shape& target);

/// Row-major strides in elements.
std::vector<int64_t> RowMajorStrides(const Shape& shape);

}  // namespace freqstore

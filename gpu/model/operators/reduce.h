// Reductions, as every device resolves them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// The axes to reduce, ascending.
absl::StatusOr<std::vector<int64_t>> ResolveReduceAxes(const NodeContext& context);

}  // namespace freqstore

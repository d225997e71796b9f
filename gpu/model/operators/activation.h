// Functions of one value, as every device resolves them.
#pragma once

#include "absl/status/statusor.h"
#include "gpu/model/graph.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// True for the operators that ResolveActivation knows.
bool IsActivation(const Node& node);

/// What the node does to each element. UNSUPPORTED_OPERATOR if its bounds are not constants.
absl::StatusOr<PostOp> ResolveActivation(const NodeContext& context);

}  // namespace freqstore

// Conv, as every device resolves it.
#pragma once

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"
#include "gpu/model/operators/window.h"

namespace freqstore {

struct ConvGeometry {
  Window window;
  int64_t groups = 1;
  int64_t channels_in = 0;
  int64_t channels_out = 0;
};

/// Input 1 holds the weights, channels_out x (channels_in / groups) x kernel, constant; input 2, if there,
/// the bias.
absl::StatusOr<ConvGeometry> ResolveConv(const NodeContext& context);

}  // namespace freqstore

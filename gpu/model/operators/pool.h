// MaxPool, AveragePool and the global ones, as every device resolves them.
#pragma once

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"
#include "gpu/model/operators/window.h"

namespace freqstore {

struct PoolGeometry {
  enum class Kind : uint8_t {
    kMax,
    kAverage,            ///< over what of the window lies inside the input
    kAverageWithPadding  ///< over the whole window, padding counted as zeros
  };
  Kind kind = Kind::kMax;
  Window window;
};

absl::StatusOr<PoolGeometry> ResolvePool(const NodeContext& context);

}  // namespace freqstore

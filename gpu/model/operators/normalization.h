// Softmax and BatchNormalization, as every device resolves them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// Softmax over the middle of outer x length x inner, row-major.
struct SoftmaxGeometry {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

absl::StatusOr<SoftmaxGeometry> ResolveSoftmax(const NodeContext& context);

/// BatchNormalization as y = scale * x + shift, a number each a channel. Its parameters are constants.
struct ChannelAffine {
  std::vector<float> scale;
  std::vector<float> shift;
};

absl::StatusOr<ChannelAffine> ResolveBatchNormalization(const NodeContext& context);

}  // namespace freqstore

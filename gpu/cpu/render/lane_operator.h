// A horizontal operator laid out for vectors of pixels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/kernels/axis_operator.h"
#include "storage/base/scratch_buffer.h"

namespace freqstore {

/// What the loops read of a LaneOperator, as plain pointers. A group is `lanes` pixels side by side; its
/// window begins at a block and is `lanes` blocks wide. Pixel i of a group is, over u below `side` and j
/// below `blocks`, the sum of weight times what frequency u has at the window's block (index + j) % lanes.
struct LaneGroups {
  size_t groups = 0;
  size_t side = 0;
  size_t blocks = 0;
  const uint32_t* first_blocks = nullptr;  ///< a group, counted from AxisOperator::first_block()
  const int32_t* indices = nullptr;        ///< groups * lanes
  const float* weights = nullptr;          ///< groups * side * blocks * lanes, aligned to 64 bytes
};

/// Immutable.
class LaneOperator {
 public:
  LaneOperator() = default;

  /// `lanes` is a power of two.
  LaneOperator(const AxisOperator& axis, size_t lanes);

  static constexpr size_t kBlocksMax = 4;  ///< that a pixel may read

  /// Whether the blocks that the pixels of any group read fit its window, and are no more than kBlocksMax a
  /// pixel: so it is unless an image is made very much smaller. If not, there are no groups.
  bool fits() const { return groups_.groups > 0; }
  const LaneGroups& groups() const { return groups_; }
  size_t bytes() const { return bytes_; }

 private:
  LaneGroups groups_;
  ScratchBuffer<uint32_t> first_blocks_;
  ScratchBuffer<int32_t> indices_;
  ScratchBuffer<float> weights_;
  size_t bytes_ = 0;
};

}  // namespace freqstore

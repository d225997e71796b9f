#include "gpu/cpu/render/lane_operator.h"

#include <algorithm>
#include <span>

namespace freqstore {
namespace {

// The blocks that a group of rows reads.
struct BlockRange {
  uint32_t first = UINT32_MAX;
  uint32_t last = 0;
};

BlockRange BlocksOf(std::span<const AxisOperator::Row> rows) {
  BlockRange range;
  for (const AxisOperator::Row& row : rows) {
    range.first = std::min(range.first, row.first_block);
    range.last = std::max(range.last, row.first_block + row.blocks);
  }
  return range;
}

// Where the window of a group begins: aligned, as seen from the first block of the axis, if it then holds
// them all.
uint32_t WindowStart(const BlockRange& range, uint32_t axis_first, size_t lanes) {
  const auto offset = static_cast<uint32_t>((range.first - axis_first) % lanes);
  return range.last - (range.first - offset) <= lanes ? range.first - offset : range.first;
}

}  // namespace

LaneOperator::LaneOperator(const AxisOperator& axis, size_t lanes) {
  const std::span<const AxisOperator::Row> rows = axis.rows();
  const auto group_rows = [&](size_t group) {
    return rows.subspan(group * lanes, std::min(lanes, rows.size() - group * lanes));
  };
  const size_t groups = (rows.size() + lanes - 1) / lanes;
  if (axis.blocks_per_row_max() > kBlocksMax) return;
  for (size_t g = 0; g < groups; ++g) {
    const BlockRange range = BlocksOf(group_rows(g));
    if (range.last - range.first > lanes) return;
  }

  const auto side = static_cast<size_t>(axis.side());
  const size_t blocks = axis.blocks_per_row_max();
  const size_t group_weights = side * blocks * lanes;
  first_blocks_.Reserve(groups);
  indices_.Reserve(groups * lanes);
  weights_.Reserve(groups * group_weights);
  for (size_t g = 0; g < groups; ++g) {
    const uint32_t first_block = WindowStart(BlocksOf(group_rows(g)), axis.first_block(), lanes);
    first_blocks_.data()[g] = first_block - axis.first_block();
    size_t lane = 0;
    for (const AxisOperator::Row& row : group_rows(g)) {
      indices_.data()[g * lanes + lane] = static_cast<int32_t>(row.first_block - first_block);
      const std::span<const float> weights = axis.weights(row);
      for (size_t j = 0; j < row.blocks; ++j) {
        for (size_t u = 0; u < side; ++u) {
          weights_.data()[g * group_weights + (u * blocks + j) * lanes + lane] = weights[j * side + u];
        }
      }
      ++lane;
    }
  }
  groups_ = {.groups = groups,
             .side = side,
             .blocks = blocks,
             .first_blocks = first_blocks_.data(),
             .indices = indices_.data(),
             .weights = weights_.data()};
  bytes_ = groups * (sizeof(uint32_t) + (lanes + group_weights) * sizeof(float));
}

}  // namespace freqstore

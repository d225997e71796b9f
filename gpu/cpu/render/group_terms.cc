#include "gpu/cpu/render/group_terms.h"

#include <algorithm>

namespace freqstore {

GroupTerms::GroupTerms(const AxisOperator& axis, size_t group_rows) {
  const std::span<const AxisOperator::Row> rows = axis.rows();
  const auto side = static_cast<size_t>(axis.side());
  for (size_t first = 0; first < rows.size(); first += group_rows) {
    groups_.push_back(static_cast<uint32_t>(block_rows_.size()));
    const auto group = rows.subspan(first, std::min(group_rows, rows.size() - first));
    uint32_t first_block = UINT32_MAX;
    uint32_t last_block = 0;
    for (const AxisOperator::Row& row : group) {
      first_block = std::min(first_block, row.first_block);
      last_block = std::max(last_block, row.first_block + row.blocks);
    }
    for (uint32_t block = first_block; block < last_block; ++block) {
      const auto first_term = static_cast<uint32_t>(terms_.size());
      for (size_t r = 0; r < group.size(); ++r) {
        const AxisOperator::Row& row = group[r];
        if (block < row.first_block || block >= row.first_block + row.blocks) continue;
        const size_t weights = row.weights + (block - row.first_block) * side;
        terms_.push_back({.row = static_cast<uint32_t>(r),
                          .weights = static_cast<uint32_t>(weights),
                          .add = block > row.first_block});
      }
      block_rows_.push_back({block, first_term, static_cast<uint32_t>(terms_.size()) - first_term});
    }
  }
  groups_.push_back(static_cast<uint32_t>(block_rows_.size()));
}

}  // namespace freqstore

// A vertical operator by rows of blocks, for groups of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/kernels/axis_operator.h"

namespace freqstore {

/// What a row of blocks adds to a row of a group.
struct VerticalTerm {
  uint32_t row;      ///< in the group
  uint32_t weights;  ///< offset of those of its vertical frequencies
  bool add;          ///< to what is there; else it is written over
};

/// Immutable.
class GroupTerms {
 public:
  struct BlockRow {
    uint32_t block = 0;
    uint32_t first_term = 0;
    uint32_t terms = 0;
  };

  GroupTerms() = default;

  /// Groups begin at the multiples of `group_rows`. Of each row, the first block comes first and writes over.
  GroupTerms(const AxisOperator& axis, size_t group_rows);

  std::span<const BlockRow> BlockRowsOf(size_t group) const {
    return std::span(block_rows_).subspan(groups_[group], groups_[group + 1] - groups_[group]);
  }
  const VerticalTerm* terms(const BlockRow& row) const { return terms_.data() + row.first_term; }
  size_t bytes() const {
    return groups_.size() * sizeof(uint32_t) + block_rows_.size() * sizeof(BlockRow) +
           terms_.size() * sizeof(VerticalTerm);
  }

 private:
  std::vector<uint32_t> groups_;  // where a group begins in block_rows_, and the end
  std::vector<BlockRow> block_rows_;
  std::vector<VerticalTerm> terms_;
};

}  // namespace freqstore

// Columns and sets of columns (projections).
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "storage/base/dct.h"

namespace freqstore {

/// One frequency of one component over a dataset.
struct ColumnId {
  uint8_t component = 0;
  uint16_t frequency = 0;  ///< zigzag index
  friend auto operator<=>(const ColumnId&, const ColumnId&) = default;
};

inline constexpr size_t kColumnsMax = size_t{kComponentsMax} * kFrequencies;

/// The place of a column in key order, below kColumnsMax.
constexpr size_t ColumnIndex(ColumnId id) {
  return size_t{id.component} * kFrequencies + id.frequency;
}

/// A set of columns: what a query reads.
struct ColumnSet {
  std::array<FrequencySet, kComponentsMax> components;

  static ColumnSet All() {
    ColumnSet all;
    all.components.fill(FrequencySet::All());
    return all;
  }

  bool Contains(ColumnId id) const { return components[id.component].Contains(id.frequency); }
  void Insert(ColumnId id) { components[id.component].Insert(id.frequency); }
  int size() const {
    int count = 0;
    for (FrequencySet set : components) count += set.size();
    return count;
  }
  ColumnSet& operator|=(const ColumnSet& other) {
    for (size_t c = 0; c < components.size(); ++c) components[c] |= other.components[c];
    return *this;
  }
  friend bool operator==(const ColumnSet&, const ColumnSet&) = default;
};

/// Calls `visit(ColumnId)` for each member, in key order: component, then zigzag index.
template <typename Visit>
void ForEachColumn(const ColumnSet& set, Visit visit) {
  for (uint8_t c = 0; c < kComponentsMax; ++c) {
    for (uint64_t bits = set.components[c].bits(); bits != 0; bits &= bits - 1)
      visit(ColumnId{c, static_cast<uint16_t>(std::countr_zero(bits))});
  }
}

}  // namespace freqstore

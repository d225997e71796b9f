// A set of rows of one segment: a bit a row.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "storage/base/coding.h"

namespace freqstore {

/// Rows 0..rows()-1. Not thread-safe.
class RowSet {
 public:
  explicit RowSet(size_t rows = 0, bool all = false);

  /// The inverse of Encode; nullopt if `bytes` are not those of a set of `rows` rows. No bytes: none of them.
  static std::optional<RowSet> Decode(Bytes bytes, size_t rows);
  /// A bit a row, lowest first, in (rows + 7) / 8 bytes.
  std::string Encode() const;

  size_t rows() const { return rows_; }
  size_t count() const;
  bool empty() const { return count() == 0; }
  bool full() const { return count() == rows_; }

  bool Contains(size_t row) const { return (words_[row / kBits] >> (row % kBits) & 1) != 0; }
  void Insert(size_t row) { words_[row / kBits] |= uint64_t{1} << (row % kBits); }
  void Erase(size_t row) { words_[row / kBits] &= ~(uint64_t{1} << (row % kBits)); }

  // Of sets of as many rows.
  RowSet& operator&=(const RowSet& other);
  RowSet& operator|=(const RowSet& other);
  RowSet& operator-=(const RowSet& other);
  /// The rows that are not in it.
  RowSet Complement() const;

  /// Ascending.
  template <typename Visitor>
  void ForEach(Visitor&& visit) const {
    for (size_t word = 0; word < words_.size(); ++word) {
      for (uint64_t left = words_[word]; left != 0; left &= left - 1)
        visit(word * kBits + static_cast<size_t>(std::countr_zero(left)));
    }
  }
  std::vector<uint32_t> ToOrdinals() const;

  friend bool operator==(const RowSet&, const RowSet&) = default;

 private:
  static constexpr size_t kBits = 64;

  size_t rows_;
  std::vector<uint64_t> words_;  // bits past rows_ are 0
};

}  // namespace freqstore

// Filters as words and marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/attribute/predicate.h"

namespace freqstore {

struct FilterToken {
  enum class Kind : uint8_t {
    kWord,
    kString,
    kComparator,
    kAnd,
    kOr,
    kNot,
    kMinus,
    kLeftParenthesis,
    kRightParenthesis,
    kDot,
    kComma,
    kEnd,  ///< once, at the end of the filter
  };

  Kind kind = Kind::kEnd;
  size_t offset = 0;       ///< bytes of the filter before it
  std::string_view text;   ///< as it stands in the filter; empty at the end
  std::string value = {};  ///< of a string, what it says
  Predicate::Comparison comparison = Predicate::Comparison::kEqual;  ///< of a comparator; `:` is kContains

  size_t end() const { return offset + text.size(); }
};

/// The tokens of a filter; they refer to its text. After a comparator, `-`, `.` and `:` are parts of a word,
/// so that -1.5 and 2026-01-31T12:00:00Z are one. INVALID_ARGUMENT (INVALID_FILTER).
absl::StatusOr<std::vector<FilterToken>> LexFilter(std::string_view filter);

}  // namespace freqstore

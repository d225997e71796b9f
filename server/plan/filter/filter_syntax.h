// A filter as a tree, before its attributes and values are understood.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/attribute/predicate.h"

namespace freqstore {

/// `attribute comparison value`, with the offsets of both names in the filter's text.
struct FilterRestriction {
  std::string_view attribute;
  size_t attribute_offset = 0;
  Predicate::Comparison comparison = Predicate::Comparison::kEqual;  ///< kContains for `:`
  std::string value;
  bool is_quoted = false;  ///< the value
  size_t value_offset = 0;
};

struct FilterNode {
  enum class Kind : uint8_t { kAnd, kOr, kNot, kRestriction };

  Kind kind = Kind::kRestriction;
  std::vector<FilterNode> parts = {};  ///< two and more of kAnd and kOr, one of kNot
  FilterRestriction restriction = {};
};

}  // namespace freqstore

// What a comparison makes of two values of one type.
#pragma once

#include <cstdint>
#include <string>

#include "storage/attribute/attribute_value.h"
#include "storage/attribute/predicate.h"

namespace freqstore {

// How a row's value may stand to that of a comparison.
inline constexpr uint8_t kBelow = 1;
inline constexpr uint8_t kSame = 2;
inline constexpr uint8_t kAbove = 4;

/// Those for which a comparison other than kContains is true.
inline uint8_t OrderingsOf(Predicate::Comparison comparison) {
  switch (comparison) {
    case Predicate::Comparison::kEqual:
      return kSame;
    case Predicate::Comparison::kNotEqual:
      return kBelow | kAbove;
    case Predicate::Comparison::kLess:
      return kBelow;
    case Predicate::Comparison::kLessOrEqual:
      return kBelow | kSame;
    case Predicate::Comparison::kGreater:
      return kAbove;
    case Predicate::Comparison::kGreaterOrEqual:
      return kAbove | kSame;
    case Predicate::Comparison::kContains:
      break;
  }
  return 0;
}

/// Whether it is true of `row`, a value that is present.
inline bool Compares(const AttributeValue& row, Predicate::Comparison comparison,
                     const AttributeValue& value) {
  if (comparison == Predicate::Comparison::kContains)
    return std::get<std::string>(row).find(std::get<std::string>(value)) != std::string::npos;
  const uint8_t ordering = row < value ? kBelow : value < row ? kAbove : kSame;
  return (ordering & OrderingsOf(comparison)) != 0;
}

}  // namespace freqstore

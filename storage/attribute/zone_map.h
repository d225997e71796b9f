// What is known of a column of attributes without reading it.
#pragma once

#include <cstdint>
#include <string>

#include "storage/attribute/attribute_value.h"

namespace freqstore {

/// Bounds of the values that are present. Strings are bounded by at most kZoneStringBytes: `min` may be a
/// prefix of the smallest, `max` a string above the largest. Both absent if no value is present; `max` alone
/// if nothing short bounds it.
struct ZoneMap {
  uint32_t present = 0;  ///< rows that have a value
  AttributeValue min;
  AttributeValue max;

  friend bool operator==(const ZoneMap&, const ZoneMap&) = default;
};

inline constexpr size_t kZoneStringBytes = 32;

/// Bounds of values between `min` and `max`, which are of one type, shortened as said above.
ZoneMap MakeZoneMap(uint32_t present, AttributeValue min, AttributeValue max);

}  // namespace freqstore

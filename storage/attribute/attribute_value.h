// Typed metadata of an image: one value of one attribute.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace freqstore {

/// The numbers are on disk.
enum class AttributeType : uint8_t { kString = 1, kInteger = 2, kDouble = 3, kBool = 4, kTimestamp = 5 };

/// A moment: microseconds since 1970-01-01 UTC.
struct Timestamp {
  int64_t micros = 0;
  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
};

/// monostate: the image does not have the attribute. The alternatives are in the order of AttributeType.
/// Doubles are never NaN.
using AttributeValue = std::variant<std::monostate, std::string, int64_t, double, bool, Timestamp>;

/// Bytes of a string value.
inline constexpr size_t kAttributeBytesMax = 4096;

inline bool IsPresent(const AttributeValue& value) {
  return value.index() != 0;
}

/// Of a value that is present.
AttributeType TypeOf(const AttributeValue& value);

/// "string", "integer", "double", "bool", "timestamp".
std::string_view TypeName(AttributeType type);
std::optional<AttributeType> ParseTypeName(std::string_view name);

/// As a filter would write it: "dog" in quotes, 512, 0.25, true, "2026-01-31T12:00:00Z"; absent. What does
/// not print in a string is written as \xNN, a byte each.
std::string FormatValue(const AttributeValue& value);

/// RFC 3339 ("2026-01-31T12:00:00.25+01:00"), or a date alone, midnight UTC. Digits past the sixth of a
/// second count for nothing; a leap second is the second after it. nullopt if it is neither, or not within
/// the years 0 to 9999 of UTC.
std::optional<Timestamp> ParseTimestamp(std::string_view text);
/// RFC 3339 in UTC, with as many digits of a second as are needed (0, 3 or 6). Years beyond 0 to 9999 are
/// written out, and do not parse.
std::string FormatTimestamp(Timestamp timestamp);

}  // namespace freqstore

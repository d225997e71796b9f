// The values of one attribute for the rows of one segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/attribute/attribute_value.h"
#include "storage/attribute/zone_map.h"
#include "storage/base/coding.h"

namespace freqstore {

/// A dictionary of the distinct values, ascending, and a code a row: 0 where the value is absent, otherwise 1
/// + the index in the dictionary. Immutable, thread-safe.
class AttributeColumn {
 public:
  /// A value a row; those that are present are of `type`.
  AttributeColumn(AttributeType type, std::span<const AttributeValue> rows);

  /// The inverse of Encode. `bytes` are not trusted: DATA_LOSS (CORRUPT_ATTRIBUTES, CHECKSUM_MISMATCH,
  /// UNKNOWN_VERSION), also if they are not a column of `rows` rows.
  static absl::StatusOr<AttributeColumn> Decode(Bytes bytes, size_t rows);
  /// FORMAT.md, "Attribute column".
  std::string Encode() const;

  AttributeType type() const { return type_; }
  size_t rows() const { return codes_.size(); }
  std::span<const AttributeValue> dictionary() const { return dictionary_; }
  std::span<const uint32_t> codes() const { return codes_; }
  AttributeValue value(size_t row) const {
    return codes_[row] == 0 ? AttributeValue() : dictionary_[codes_[row] - 1];
  }
  ZoneMap zone_map() const;

 private:
  explicit AttributeColumn(AttributeType type) : type_(type) {}

  AttributeType type_;
  std::vector<AttributeValue> dictionary_;
  std::vector<uint32_t> codes_;
};

}  // namespace freqstore

// The distinct values of a column as bytes: FORMAT.md, "Dictionary".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/attribute/attribute_value.h"
#include "storage/base/coding.h"

namespace freqstore {

/// `values` are of `type` and ascend strictly.
void AppendDictionary(AttributeType type, std::span<const AttributeValue> values, std::string& out);

/// The inverse, of `count` values. The bytes are not trusted: DATA_LOSS (CORRUPT_ATTRIBUTES).
absl::StatusOr<std::vector<AttributeValue>> ReadDictionary(AttributeType type, size_t count,
                                                           ByteReader& reader);

/// ReadVarint, but nullopt also where fewer bytes would do.
std::optional<uint64_t> ReadShortestVarint(ByteReader& reader);

}  // namespace freqstore

// Which attributes the images of a dataset have: names, types, and the numbers under which they are stored.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/attribute/attribute_value.h"

namespace freqstore {

/// What Freqstore knows of every image. The numbers are on disk; those of a dataset's own attributes start at
/// kFirstOwnAttribute.
enum class SystemAttribute : uint32_t {
  kWidth = 1,
  kHeight = 2,
  kColor = 3,
  kSampling = 4,
  kOrientation = 5,
  kQuality = 6,
  kProgressive = 7,
  kTruncated = 8,
  kWarnings = 9,
  kFileBytes = 10,
  kImportTime = 11,
  kDuplicateOf = 12,
  kKeepReason = 13,
  // Not stored by column, since no two images have the same: read from the image table.
  kImageId = 14,
  kSha256 = 15,
};
inline constexpr uint32_t kFirstOwnAttribute = 256;
inline constexpr size_t kOwnAttributesMax = 1000;

inline bool IsSystemAttribute(uint32_t id) {
  return id < kFirstOwnAttribute;
}

struct AttributeDef {
  uint32_t id = 0;
  std::string name;
  AttributeType type = AttributeType::kString;

  friend bool operator==(const AttributeDef&, const AttributeDef&) = default;
};

/// The values of one image's own attributes, by number; none is absent.
using OwnAttributes = std::map<uint32_t, AttributeValue>;

/// The system attributes, by number.
std::span<const AttributeDef> SystemAttributes();

/// Immutable: a dataset that gets another attribute gets another schema. Thread-safe.
class AttributeSchema {
 public:
  /// Of a dataset with these attributes of its own, ascending by id.
  explicit AttributeSchema(std::vector<AttributeDef> own = {});

  /// System attributes included; null if there is none.
  const AttributeDef* Find(std::string_view name) const;
  const AttributeDef* Find(uint32_t id) const;
  std::span<const AttributeDef> own() const { return own_; }

  /// The schema with one more attribute. INVALID_ARGUMENT (INVALID_ATTRIBUTE_NAME, RESERVED_ATTRIBUTE_NAME),
  /// ALREADY_EXISTS (ATTRIBUTE_EXISTS), RESOURCE_EXHAUSTED (TOO_MANY_ATTRIBUTES).
  absl::StatusOr<AttributeSchema> With(std::string_view name, AttributeType type) const;

 private:
  std::vector<AttributeDef> own_;
  std::vector<uint32_t> by_name_;  // indices into own_, ascending by name
};

/// OK if `name` may name an attribute: 1 to 63 of a-z A-Z 0-9 _, the first a letter or _, and none of the
/// words of filters (AND, OR, NOT, true, false). INVALID_ARGUMENT (INVALID_ATTRIBUTE_NAME).
absl::Status CheckAttributeName(std::string_view name);

}  // namespace freqstore

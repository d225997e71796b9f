#include "storage/attribute/attribute_schema.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr size_t kNameBytesMax = 63;
constexpr std::array<std::string_view, 5> kFilterWords = {"AND", "OR", "NOT", "true", "false"};

AttributeDef Define(SystemAttribute id, std::string name, AttributeType type) {
  return {static_cast<uint32_t>(id), std::move(name), type};
}

const std::vector<AttributeDef>& AllSystemAttributes() {
  static const std::vector<AttributeDef> all = {
      Define(SystemAttribute::kWidth, "width", AttributeType::kInteger),
      Define(SystemAttribute::kHeight, "height", AttributeType::kInteger),
      Define(SystemAttribute::kColor, "color", AttributeType::kString),
      Define(SystemAttribute::kSampling, "sampling", AttributeType::kString),
      Define(SystemAttribute::kOrientation, "orientation", AttributeType::kInteger),
      Define(SystemAttribute::kQuality, "quality", AttributeType::kInteger),
      Define(SystemAttribute::kProgressive, "progressive", AttributeType::kBool),
      Define(SystemAttribute::kTruncated, "truncated", AttributeType::kBool),
      Define(SystemAttribute::kWarnings, "warnings", AttributeType::kInteger),
      Define(SystemAttribute::kFileBytes, "file_bytes", AttributeType::kInteger),
      Define(SystemAttribute::kImportTime, "import_time", AttributeType::kTimestamp),
      Define(SystemAttribute::kDuplicateOf, "duplicate_of", AttributeType::kString),
      Define(SystemAttribute::kKeepReason, "keep_reason", AttributeType::kString),
      Define(SystemAttribute::kImageId, "image_id", AttributeType::kString),
      Define(SystemAttribute::kSha256, "sha256", AttributeType::kString),
  };
  return all;
}

const AttributeDef* FindSystemAttribute(std::string_view name) {
  for (const AttributeDef& def : AllSystemAttributes())
    if (def.name == name) return &def;
  return nullptr;
}

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsNameCharacter(char c) {
  return IsLetter(c) || (c >= '0' && c <= '9');
}

}  // namespace

std::span<const AttributeDef> SystemAttributes() {
  return AllSystemAttributes();
}

AttributeSchema::AttributeSchema(std::vector<AttributeDef> own)
    : own_(std::move(own)), by_name_(own_.size()) {
  assert(own_.empty() || !IsSystemAttribute(own_.front().id));
  assert(std::is_sorted(own_.begin(), own_.end(), [](const auto& a, const auto& b) { return a.id < b.id; }));
  std::iota(by_name_.begin(), by_name_.end(), 0);
  std::sort(by_name_.begin(), by_name_.end(),
            [&](uint32_t a, uint32_t b) { return own_[a].name < own_[b].name; });
}

const AttributeDef* AttributeSchema::Find(std::string_view name) const {
  if (const AttributeDef* def = FindSystemAttribute(name)) return def;
  const auto found =
      std::lower_bound(by_name_.begin(), by_name_.end(), name,
                       [&](uint32_t index, std::string_view wanted) { return own_[index].name < wanted; });
  return found != by_name_.end() && own_[*found].name == name ? &own_[*found] : nullptr;
}

const AttributeDef* AttributeSchema::Find(uint32_t id) const {
  const std::span<const AttributeDef> defs = IsSystemAttribute(id) ? SystemAttributes() : own();
  const auto found = std::lower_bound(
      defs.begin(), defs.end(), id, [](const AttributeDef& def, uint32_t wanted) { return def.id < wanted; });
  return found != defs.end() && found->id == id ? &*found : nullptr;
}

absl::StatusOr<AttributeSchema> AttributeSchema::With(std::string_view name, AttributeType type) const {
  RETURN_IF_ERROR(CheckAttributeName(name));
  if (FindSystemAttribute(name) != nullptr) {
    return MakeError(absl::StatusCode::kInvalidArgument, "RESERVED_ATTRIBUTE_NAME",
                     fmt::format("every image has the attribute '{}'; choose another name", name));
  }
  if (const AttributeDef* existing = Find(name)) {
    return MakeError(
        absl::StatusCode::kAlreadyExists, "ATTRIBUTE_EXISTS",
        fmt::format("the dataset has an attribute '{}' already, of type {}", name, TypeName(existing->type)));
  }
  if (own_.size() >= kOwnAttributesMax) {
    return MakeError(
        absl::StatusCode::kResourceExhausted, "TOO_MANY_ATTRIBUTES",
        fmt::format("the dataset has {} attributes; '{}' would be one too many", own_.size(), name));
  }
  std::vector<AttributeDef> own = own_;
  own.push_back({own.empty() ? kFirstOwnAttribute : own.back().id + 1, std::string(name), type});
  return AttributeSchema(std::move(own));
}

absl::Status CheckAttributeName(std::string_view name) {
  const bool is_well_formed = !name.empty() && name.size() <= kNameBytesMax && IsLetter(name.front()) &&
                              std::all_of(name.begin(), name.end(), IsNameCharacter);
  if (is_well_formed && std::find(kFilterWords.begin(), kFilterWords.end(), name) == kFilterWords.end())
    return absl::OkStatus();
  return MakeError(
      absl::StatusCode::kInvalidArgument, "INVALID_ATTRIBUTE_NAME",
      fmt::format("{} does not name an attribute; names are 1 to {} of a-z A-Z 0-9 _, do not start with a "
                  "digit, and are not AND, OR, NOT, true or false",
                  FormatValue(std::string(name.substr(0, kNameBytesMax + 1))), kNameBytesMax));
}

}  // namespace freqstore

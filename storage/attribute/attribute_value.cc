#include "storage/attribute/attribute_value.h"

#include <array>
#include <cassert>
#include <utility>

#include "fmt/format.h"
#include "storage/base/utf8.h"

namespace freqstore {
namespace {

constexpr std::array<std::pair<AttributeType, std::string_view>, 5> kTypeNames = {{
    {AttributeType::kString, "string"},
    {AttributeType::kInteger, "integer"},
    {AttributeType::kDouble, "double"},
    {AttributeType::kBool, "bool"},
    {AttributeType::kTimestamp, "timestamp"},
}};

std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t bytes = PrintableCharacterBytes(text);
    if (bytes == 0) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else {
      if (text[0] == '"' || text[0] == '\\') quoted += '\\';
      quoted += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return quoted + '"';
}

}  // namespace

AttributeType TypeOf(const AttributeValue& value) {
  assert(IsPresent(value));
  return static_cast<AttributeType>(value.index());
}

std::string_view TypeName(AttributeType type) {
  for (const auto& [known, name] : kTypeNames)
    if (known == type) return name;
  assert(false);
  return "unknown";
}

std::optional<AttributeType> ParseTypeName(std::string_view name) {
  for (const auto& [type, known] : kTypeNames)
    if (known == name) return type;
  return std::nullopt;
}

std::string FormatValue(const AttributeValue& value) {
  if (!IsPresent(value)) return "absent";
  switch (TypeOf(value)) {
    case AttributeType::kString:
      return Quote(std::get<std::string>(value));
    case AttributeType::kInteger:
      return fmt::to_string(std::get<int64_t>(value));
    case AttributeType::kDouble:
      return fmt::to_string(std::get<double>(value));
    case AttributeType::kBool:
      return std::get<bool>(value) ? "true" : "false";
    case AttributeType::kTimestamp:
      break;
  }
  return Quote(FormatTimestamp(std::get<Timestamp>(value)));
}

}  // namespace freqstore

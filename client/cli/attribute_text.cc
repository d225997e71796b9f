#include "client/cli/attribute_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <google/protobuf/util/time_util.h>

#include "client/cli/utf8.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

using google::protobuf::Timestamp;
using google::protobuf::util::TimeUtil;

constexpr size_t kNameBytesMax = 63;
constexpr size_t kStringBytesMax = 4096;

constexpr std::array<std::pair<std::string_view, v1::AttributeType>, 5> kTypes = {
    {{"string", v1::ATTRIBUTE_TYPE_STRING},
     {"integer", v1::ATTRIBUTE_TYPE_INTEGER},
     {"double", v1::ATTRIBUTE_TYPE_DOUBLE},
     {"bool", v1::ATTRIBUTE_TYPE_BOOL},
     {"timestamp", v1::ATTRIBUTE_TYPE_TIMESTAMP}}};

/// Words of filters, and what every image has.
constexpr std::array<std::string_view, 5> kFilterWords = {"AND", "OR", "NOT", "true", "false"};
constexpr std::array<std::string_view, 15> kSystemNames = {
    "width",       "height",       "color",       "sampling", "orientation",
    "quality",     "progressive",  "truncated",   "warnings", "file_bytes",
    "import_time", "duplicate_of", "keep_reason", "image_id", "sha256"};

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> ParseDouble(std::string_view text) {
  const std::optional<double> number = ParseNumber<double>(text);
  return number && !std::isnan(*number) ? number : std::nullopt;
}

std::optional<bool> ParseBool(std::string_view text) {
  if (text != "true" && text != "false") return std::nullopt;
  return text == "true";
}

/// RFC 3339, or a date: midnight UTC.
std::optional<Timestamp> ParseTime(std::string_view text) {
  constexpr std::string_view kDate = "dddd-dd-dd";
  if (text.size() < kDate.size()) return std::nullopt;
  for (size_t i = 0; i < kDate.size(); ++i) {
    if (kDate[i] == 'd' ? !IsDigit(text[i]) : text[i] != kDate[i]) return std::nullopt;
  }
  std::string whole(text);
  if (text.size() == kDate.size()) whole += "T00:00:00Z";
  Timestamp time;
  if (!TimeUtil::FromString(whole, &time)) return std::nullopt;
  return time;
}

[[noreturn]] void ThrowTypeError(std::string_view text, std::string_view what) {
  constexpr size_t kShown = 60;
  throw UsageError(
      fmt::format("'{}{}' is not {}", text.substr(0, kShown), text.size() > kShown ? "..." : "", what),
      "ATTRIBUTE_TYPE");
}

template <typename Value>
Value Need(std::optional<Value> value, std::string_view text, std::string_view what) {
  if (!value) ThrowTypeError(text, what);
  return *std::move(value);
}

}  // namespace

const char* const kAttributeHelp =
    R"(A type is string, integer, double, bool (true, false) or timestamp ("2026-01-31", "2026-01-31T12:00:00Z"). Where it is not
given it is the one that the attribute has in the dataset; of a new attribute, the first of integer, double, bool and timestamp
that all of its values are, or else string. Names are of letters, digits and '_'.
)";

bool IsAttributeName(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax && IsLetter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsLetter(c) || IsDigit(c); }) &&
         std::ranges::find(kFilterWords, text) == kFilterWords.end();
}

AttributeKey ParseAttributeKey(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  AttributeKey key{std::string(text.substr(0, colon))};
  if (!IsAttributeName(key.name)) {
    throw UsageError(
        fmt::format("'{}' cannot name an attribute: names are 1 to 63 letters, digits and '_', do not start "
                    "with a digit, and are not AND, OR, NOT, true or false",
                    key.name),
        "INVALID_ATTRIBUTE_NAME");
  }
  if (std::ranges::find(kSystemNames, key.name) != kSystemNames.end()) {
    throw UsageError(
        fmt::format("every image has '{}' from the server; choose another name for an attribute of your own",
                    key.name),
        "RESERVED_ATTRIBUTE_NAME");
  }
  if (colon == text.size()) return key;
  const std::string_view type = text.substr(colon + 1);
  const auto found = std::ranges::find(kTypes, type, [](const auto& entry) { return entry.first; });
  if (found == kTypes.end()) {
    throw UsageError(
        fmt::format(
            "attribute '{}': there is no type '{}'; types are string, integer, double, bool, timestamp",
            key.name, type),
        "ATTRIBUTE_TYPE");
  }
  key.type = found->second;
  return key;
}

std::string TypeName(v1::AttributeType type) {
  const auto found = std::ranges::find(kTypes, type, [](const auto& entry) { return entry.second; });
  return found == kTypes.end() ? "unknown" : std::string(found->first);
}

v1::AttributeValue ParseAttributeValue(std::string_view text, v1::AttributeType type) {
  v1::AttributeValue value;
  switch (type) {
    case v1::ATTRIBUTE_TYPE_INTEGER:
      value.set_integer_value(Need(ParseNumber<int64_t>(text), text, "an integer of 64 bits"));
      break;
    case v1::ATTRIBUTE_TYPE_DOUBLE:
      value.set_double_value(Need(ParseDouble(text), text, "a number"));
      break;
    case v1::ATTRIBUTE_TYPE_BOOL:
      value.set_bool_value(Need(ParseBool(text), text, "true or false"));
      break;
    case v1::ATTRIBUTE_TYPE_TIMESTAMP:
      *value.mutable_timestamp_value() =
          Need(ParseTime(text), text, "a time: 2026-01-31 or 2026-01-31T12:00:00Z");
      break;
    default:
      if (text.size() > kStringBytesMax) {
        throw UsageError(fmt::format("a text of {} bytes, above the {} that an attribute may have",
                                     text.size(), kStringBytesMax),
                         "ATTRIBUTE_TOO_LONG");
      }
      if (!IsUtf8(text)) throw UsageError("the text is not UTF-8", "ATTRIBUTE_TYPE");
      value.set_string_value(std::string(text));
  }
  return value;
}

void TypeInference::Add(std::string_view text) {
  has_any_ = true;
  are_integers_ = are_integers_ && ParseNumber<int64_t>(text).has_value();
  if (are_numbers_) {
    const std::optional<double> number = ParseDouble(text);
    are_numbers_ = number && std::isfinite(*number);
  }
  are_bools_ = are_bools_ && ParseBool(text).has_value();
  are_times_ = are_times_ && ParseTime(text).has_value();
}

void TypeInference::AddText(std::string_view text) {
  Add(text);
  are_integers_ = are_numbers_ = are_bools_ = false;
}

v1::AttributeType TypeInference::type() const {
  if (!has_any_) return v1::ATTRIBUTE_TYPE_STRING;
  if (are_integers_) return v1::ATTRIBUTE_TYPE_INTEGER;
  if (are_numbers_) return v1::ATTRIBUTE_TYPE_DOUBLE;
  if (are_bools_) return v1::ATTRIBUTE_TYPE_BOOL;
  return are_times_ ? v1::ATTRIBUTE_TYPE_TIMESTAMP : v1::ATTRIBUTE_TYPE_STRING;
}

Json ToJson(const v1::AttributeValue& value) {
  switch (value.kind_case()) {
    case v1::AttributeValue::kStringValue:
      return value.string_value();
    case v1::AttributeValue::kIntegerValue:
      return value.integer_value();
    case v1::AttributeValue::kDoubleValue:
      if (std::isfinite(value.double_value())) return value.double_value();
      return value.double_value() > 0 ? "inf" : "-inf";
    case v1::AttributeValue::kBoolValue:
      return value.bool_value();
    case v1::AttributeValue::kTimestampValue:
      return TimeUtil::ToString(value.timestamp_value());
    case v1::AttributeValue::KIND_NOT_SET:
      break;
  }
  return nullptr;
}

}  // namespace freqstore::cli

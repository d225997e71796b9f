#include "storage/attribute/attribute_dictionary.h"

#include <bit>
#include <cmath>
#include <limits>

#include "storage/base/status.h"
#include "storage/base/varint.h"

namespace freqstore {
namespace {

/// Stands for a difference from here on, which follows in 8 bytes.
constexpr uint64_t kLongDifference = (uint64_t{1} << 63) - 1;

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ATTRIBUTES", message);
}

int64_t ToInteger(const AttributeValue& value) {
  if (const auto* timestamp = std::get_if<Timestamp>(&value)) return timestamp->micros;
  return std::get<int64_t>(value);
}

AttributeValue FromInteger(AttributeType type, int64_t integer) {
  if (type == AttributeType::kTimestamp) return Timestamp{integer};
  return integer;
}

void AppendIntegers(std::span<const AttributeValue> values, std::string& out) {
  uint64_t last = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<uint64_t>(ToInteger(values[i]));
    const uint64_t difference = value - last;
    if (i == 0) {
      AppendLittleEndian(out, value);
    } else if (difference < kLongDifference) {
      AppendVarint(out, difference);
    } else {
      AppendVarint(out, kLongDifference);
      AppendLittleEndian(out, difference);
    }
    last = value;
  }
}

std::optional<uint64_t> ReadDifference(ByteReader& reader) {
  const std::optional<uint64_t> difference = ReadShortestVarint(reader);
  if (difference != kLongDifference) return difference;
  const std::optional<uint64_t> longer = reader.ReadLittleEndian<uint64_t>();
  return longer && *longer >= kLongDifference ? longer : std::nullopt;
}

absl::Status ReadIntegers(AttributeType type, size_t count, ByteReader& reader,
                          std::vector<AttributeValue>& values) {
  uint64_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::optional<uint64_t> step =
        i == 0 ? reader.ReadLittleEndian<uint64_t>() : ReadDifference(reader);
    if (!step) return Corrupt("an integer of a dictionary is cut off");
    const uint64_t room = uint64_t{std::numeric_limits<int64_t>::max()} - last;
    if (i > 0 && (*step == 0 || *step > room)) return Corrupt("a dictionary does not ascend");
    last += *step;
    values.push_back(FromInteger(type, static_cast<int64_t>(last)));
  }
  return absl::OkStatus();
}

absl::StatusOr<AttributeValue> ReadString(ByteReader& reader) {
  const std::optional<uint64_t> length = ReadShortestVarint(reader);
  if (!length || *length > kAttributeBytesMax) return Corrupt("the length of a string is out of range");
  const std::optional<Bytes> bytes = reader.ReadBytes(static_cast<size_t>(*length));
  if (!bytes) return Corrupt("a string of a dictionary is cut off");
  return std::string(AsString(*bytes));
}

absl::StatusOr<AttributeValue> ReadDouble(ByteReader& reader) {
  const std::optional<uint64_t> bits = reader.ReadLittleEndian<uint64_t>();
  if (!bits) return Corrupt("a double of a dictionary is cut off");
  const auto number = std::bit_cast<double>(*bits);
  if (std::isnan(number) || (number == 0 && *bits != 0)) return Corrupt("a double is not a number or is -0");
  return number;
}

absl::StatusOr<AttributeValue> ReadBool(ByteReader& reader) {
  const std::optional<uint8_t> byte = reader.ReadLittleEndian<uint8_t>();
  if (!byte || *byte > 1) return Corrupt("a bool of a dictionary is cut off or out of range");
  return *byte == 1;
}

absl::StatusOr<AttributeValue> ReadValue(AttributeType type, ByteReader& reader) {
  switch (type) {
    case AttributeType::kString:
      return ReadString(reader);
    case AttributeType::kDouble:
      return ReadDouble(reader);
    default:
      return ReadBool(reader);
  }
}

bool IsIntegral(AttributeType type) {
  return type == AttributeType::kInteger || type == AttributeType::kTimestamp;
}

}  // namespace

void AppendDictionary(AttributeType type, std::span<const AttributeValue> values, std::string& out) {
  if (IsIntegral(type)) return AppendIntegers(values, out);
  for (const AttributeValue& value : values) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      AppendVarint(out, text->size());
      out += *text;
    } else if (const auto* number = std::get_if<double>(&value)) {
      AppendLittleEndian(out, std::bit_cast<uint64_t>(*number));
    } else {
      AppendLittleEndian(out, static_cast<uint8_t>(std::get<bool>(value)));
    }
  }
}

absl::StatusOr<std::vector<AttributeValue>> ReadDictionary(AttributeType type, size_t count,
                                                           ByteReader& reader) {
  // A value takes a byte at the least.
  if (count > reader.remaining()) return Corrupt("a dictionary is cut off");
  std::vector<AttributeValue> values;
  values.reserve(count);
  if (IsIntegral(type)) {
    RETURN_IF_ERROR(ReadIntegers(type, count, reader, values));
    return values;
  }
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(AttributeValue value, ReadValue(type, reader));
    if (i > 0 && !(values.back() < value)) return Corrupt("a dictionary does not ascend");
    values.push_back(std::move(value));
  }
  return values;
}

std::optional<uint64_t> ReadShortestVarint(ByteReader& reader) {
  const size_t before = reader.remaining();
  const std::optional<uint64_t> value = ReadVarint(reader);
  const size_t bytes = before - reader.remaining();
  if (value && bytes > 1 && *value >> (7 * (bytes - 1)) == 0) return std::nullopt;
  return value;
}

}  // namespace freqstore

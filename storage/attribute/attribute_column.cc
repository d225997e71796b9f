#include "storage/attribute/attribute_column.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "fmt/format.h"
#include "storage/attribute/attribute_dictionary.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "storage/base/varint.h"

namespace freqstore {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kChecksumBytes = 8;

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ATTRIBUTES", message);
}

/// As it stands in a dictionary: there is one zero.
AttributeValue Normalise(const AttributeValue& value) {
  if (const auto* number = std::get_if<double>(&value); number && *number == 0) return 0.0;
  return value;
}

/// The bits of a code, less `least`, the least that there is.
int CodeBits(size_t dictionary_size, uint32_t least) {
  return static_cast<int>(std::bit_width(dictionary_size - least));
}

void AppendCodes(std::span<const uint32_t> codes, uint32_t least, int bits, std::string& out) {
  uint64_t pending = 0;
  int pending_bits = 0;
  for (const uint32_t code : codes) {
    pending |= uint64_t{code - least} << pending_bits;
    for (pending_bits += bits; pending_bits >= 8; pending_bits -= 8, pending >>= 8)
      out.push_back(static_cast<char>(pending & 0xff));
  }
  if (pending_bits > 0) out.push_back(static_cast<char>(pending));
}

/// nullopt unless `bytes` are `rows` codes and no more.
std::optional<std::vector<uint32_t>> ReadCodes(Bytes bytes, size_t rows, uint32_t least, int bits) {
  const auto width = static_cast<size_t>(bits);
  if (width != 0 && rows > 8 * bytes.size() / width) return std::nullopt;
  if (bytes.size() != (rows * width + 7) / 8) return std::nullopt;
  std::vector<uint32_t> codes;
  codes.reserve(rows);
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  uint64_t pending = 0;
  int pending_bits = 0;
  for (size_t row = 0; row < rows; ++row) {
    for (; pending_bits < bits; pending_bits += 8, bytes = bytes.subspan(1))
      pending |= uint64_t{bytes.front()} << pending_bits;
    codes.push_back(static_cast<uint32_t>(pending & mask) + least);
    pending >>= bits;
    pending_bits -= bits;
  }
  if (pending != 0) return std::nullopt;
  return codes;
}

/// Each value of the dictionary is some row's, and a row is absent where codes allow for it.
bool IsEachCodeUsed(std::span<const uint32_t> codes, size_t dictionary_size, uint32_t least) {
  std::vector<bool> used(dictionary_size + 1);
  for (const uint32_t code : codes) {
    if (code > dictionary_size) return false;
    used[code] = true;
  }
  return codes.empty() || std::all_of(used.begin() + least, used.end(), [](bool is_used) { return is_used; });
}

/// What is between the version and the checksum. The latter is right already.
absl::StatusOr<Bytes> OpenFrame(Bytes bytes) {
  if (bytes.size() < sizeof(kVersion) + kChecksumBytes)
    return Corrupt(fmt::format("{} bytes are not a column of attributes", bytes.size()));
  if (bytes.front() != kVersion) {
    return MakeError(
        absl::StatusCode::kDataLoss, "UNKNOWN_VERSION",
        fmt::format("a column of attributes has version {}; version {} is known", bytes.front(), kVersion));
  }
  const Bytes content = bytes.first(bytes.size() - kChecksumBytes);
  if (ByteReader(bytes.last(kChecksumBytes)).ReadLittleEndian<uint64_t>() != Checksum64(content)) {
    return MakeError(absl::StatusCode::kDataLoss, "CHECKSUM_MISMATCH",
                     "the bytes of a column of attributes do not have its checksum");
  }
  return content.subspan(sizeof(kVersion));
}

}  // namespace

AttributeColumn::AttributeColumn(AttributeType type, std::span<const AttributeValue> rows)
    : type_(type), codes_(rows.size()) {
  std::vector<uint32_t> present;
  for (uint32_t row = 0; row < rows.size(); ++row) {
    if (!IsPresent(rows[row])) continue;
    assert(TypeOf(rows[row]) == type);
    assert(type != AttributeType::kDouble || !std::isnan(std::get<double>(rows[row])));
    present.push_back(row);
  }
  std::sort(present.begin(), present.end(), [&](uint32_t a, uint32_t b) { return rows[a] < rows[b]; });
  for (const uint32_t row : present) {
    if (dictionary_.empty() || dictionary_.back() != rows[row]) dictionary_.push_back(Normalise(rows[row]));
    codes_[row] = static_cast<uint32_t>(dictionary_.size());
  }
}

absl::StatusOr<AttributeColumn> AttributeColumn::Decode(Bytes bytes, size_t rows) {
  ASSIGN_OR_RETURN(const Bytes content, OpenFrame(bytes));
  ByteReader reader(content);
  const std::optional<uint8_t> type = reader.ReadLittleEndian<uint8_t>();
  const std::optional<uint64_t> stored_rows = ReadShortestVarint(reader);
  const std::optional<uint64_t> entries = ReadShortestVarint(reader);
  if (!type || !stored_rows || !entries) return Corrupt("the head of a column of attributes is cut off");
  if (*type < static_cast<uint8_t>(AttributeType::kString) ||
      *type > static_cast<uint8_t>(AttributeType::kTimestamp)) {
    return Corrupt(fmt::format("a column of attributes has the unknown type {}", *type));
  }
  if (*stored_rows != rows)
    return Corrupt(fmt::format("a column of attributes has {} rows instead of {}", *stored_rows, rows));
  if (*entries > rows) return Corrupt("a column of attributes has more values than rows");

  AttributeColumn column(static_cast<AttributeType>(*type));
  ASSIGN_OR_RETURN(column.dictionary_, ReadDictionary(column.type_, static_cast<size_t>(*entries), reader));
  const std::optional<uint8_t> least = reader.ReadLittleEndian<uint8_t>();
  if (!least || *least > 1 || *least > *entries) return Corrupt("the least code of a column is out of range");
  auto codes = ReadCodes(reader.rest(), rows, *least, CodeBits(column.dictionary_.size(), *least));
  if (!codes) return Corrupt("the codes of a column do not fit its rows");
  if (!IsEachCodeUsed(*codes, column.dictionary_.size(), *least))
    return Corrupt("the codes of a column are not those of its dictionary");
  column.codes_ = *std::move(codes);
  return column;
}

std::string AttributeColumn::Encode() const {
  std::string bytes;
  AppendLittleEndian(bytes, kVersion);
  AppendLittleEndian(bytes, static_cast<uint8_t>(type_));
  AppendVarint(bytes, codes_.size());
  AppendVarint(bytes, dictionary_.size());
  AppendDictionary(type_, dictionary_, bytes);
  const bool is_each_present = !codes_.empty() && std::find(codes_.begin(), codes_.end(), 0u) == codes_.end();
  const uint8_t least = is_each_present ? 1 : 0;
  AppendLittleEndian(bytes, least);
  AppendCodes(codes_, least, CodeBits(dictionary_.size(), least), bytes);
  AppendLittleEndian(bytes, Checksum64(AsBytes(bytes)));
  return bytes;
}

ZoneMap AttributeColumn::zone_map() const {
  if (dictionary_.empty()) return {};
  const auto absent = std::count(codes_.begin(), codes_.end(), 0u);
  return MakeZoneMap(static_cast<uint32_t>(codes_.size()) - static_cast<uint32_t>(absent),
                     dictionary_.front(), dictionary_.back());
}

}  // namespace freqstore

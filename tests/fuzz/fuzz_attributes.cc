// Any bytes as a column of attributes: what decodes encodes to the same bytes. And as values: they come back.
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "storage/attribute/attribute_column.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/fuzz_check.h"

namespace freqstore {
namespace {

/// Bounds hold for all values, and say how many there are.
void CheckZoneMap(const AttributeColumn& column) {
  const ZoneMap zone = column.zone_map();
  uint32_t present = 0;
  for (size_t row = 0; row < column.rows(); ++row) {
    const AttributeValue value = column.value(row);
    if (!IsPresent(value)) continue;
    ++present;
    FUZZ_CHECK(TypeOf(value) == column.type());
    FUZZ_CHECK(zone.min <= value);
    FUZZ_CHECK(!IsPresent(zone.max) || value <= zone.max);
  }
  FUZZ_CHECK(zone.present == present);
}

void CheckBytes(Bytes bytes, size_t rows) {
  const auto column = AttributeColumn::Decode(bytes, rows);
  if (!column.ok()) {
    FUZZ_CHECK(column.status().code() == absl::StatusCode::kDataLoss);
    return;
  }
  FUZZ_CHECK(column->rows() == rows);
  FUZZ_CHECK(column->Encode() == AsString(bytes));
  CheckZoneMap(*column);
}

AttributeValue MakeValue(AttributeType type, ByteSource& source) {
  const auto number = [&] {
    uint64_t bits = 0;
    for (int left = source.Byte() % 9; left > 0; --left) bits = bits << 8 | source.Byte();
    return bits;
  };
  switch (type) {
    case AttributeType::kString: {
      std::string text(source.Byte() % 40, 'a');
      for (int left = source.Byte() % 4; left > 0; --left) text += static_cast<char>(source.Byte());
      return text;
    }
    case AttributeType::kInteger:
      return static_cast<int64_t>(number());
    case AttributeType::kDouble: {
      const auto real = std::bit_cast<double>(number());
      return std::isnan(real) ? 0.0 : real;
    }
    case AttributeType::kBool:
      return source.Byte() % 2 == 0;
    case AttributeType::kTimestamp:
      break;
  }
  return Timestamp{static_cast<int64_t>(number())};
}

void CheckValues(ByteSource source) {
  const auto type = static_cast<AttributeType>(1 + source.Byte() % 5);
  std::vector<AttributeValue> pool(1 + source.Byte() % 16);
  for (AttributeValue& value : pool)
    if (source.Byte() % 16 != 0) value = MakeValue(type, source);
  std::vector<AttributeValue> values(source.Byte());
  for (AttributeValue& value : values) value = pool[source.Byte() % pool.size()];

  const AttributeColumn column(type, values);
  for (size_t row = 0; row < values.size(); ++row) FUZZ_CHECK(column.value(row) == values[row]);
  CheckZoneMap(column);
  const std::string bytes = column.Encode();
  const auto decoded = AttributeColumn::Decode(AsBytes(bytes), values.size());
  FUZZ_CHECK(decoded.ok());
  FUZZ_CHECK(decoded->Encode() == bytes);
  for (size_t row = 0; row < values.size(); ++row) FUZZ_CHECK(decoded->value(row) == values[row]);
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace freqstore;
  CheckValues(ByteSource(Bytes(data, size)));
  if (size < 2) return 0;
  const size_t rows = data[0];
  const Bytes bytes(data + 1, size - 1);
  CheckBytes(bytes, rows);
  // With its version and checksum right, and with the rows too.
  std::string framed = "\x01" + std::string(AsString(bytes));
  if (framed.size() > 2 && data[0] < 128) framed[2] = static_cast<char>(rows);
  AppendLittleEndian(framed, Checksum64(AsBytes(framed)));
  CheckBytes(AsBytes(framed), rows);
  return 0;
}

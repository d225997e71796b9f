// Bytes that are not those of a column of attributes.
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/attribute/attribute_column.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "tests/storage/attribute/random_values.h"

namespace freqstore {
namespace {

/// The reason why `content`, with its checksum, is not a column.
std::string ReasonFor(std::string_view content, size_t rows) {
  std::string bytes(content);
  AppendLittleEndian(bytes, Checksum64(AsBytes(bytes)));
  const auto column = AttributeColumn::Decode(AsBytes(bytes), rows);
  if (!column.ok()) CHECK(column.status().code() == absl::StatusCode::kDataLoss);
  return ReasonOf(column.status());
}

std::string Content(std::initializer_list<int> bytes) {
  std::string content;
  for (const int byte : bytes) content.push_back(static_cast<char>(byte));
  return content;
}

std::string LittleEndian(uint64_t value) {
  std::string bytes;
  AppendLittleEndian(bytes, value);
  return bytes;
}

TEST_CASE("Every flipped or missing byte is noticed") {
  testutil::RandomValues random(2);
  for (const AttributeType type : testutil::kTypes) {
    const size_t rows = 20;
    const std::string bytes = AttributeColumn(type, random.Column(type, rows, 3)).Encode();
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
        const auto column = AttributeColumn::Decode(AsBytes(damaged), rows);
        REQUIRE(column.status().code() == absl::StatusCode::kDataLoss);
        REQUIRE(ReasonOf(column.status()) == (i == 0 ? "UNKNOWN_VERSION" : "CHECKSUM_MISMATCH"));
      }
      REQUIRE_FALSE(AttributeColumn::Decode(AsBytes(bytes).first(i), rows).ok());
    }
    CHECK_FALSE(AttributeColumn::Decode(AsBytes(bytes + '\0'), rows).ok());
    CHECK(ReasonOf(AttributeColumn::Decode(AsBytes(bytes), rows + 1).status()) == "CORRUPT_ATTRIBUTES");
  }
}

TEST_CASE("A writer's mistakes are noticed behind a right checksum") {
  testutil::RandomValues random(3);
  for (const AttributeType type : testutil::kTypes) {
    const size_t rows = 20;
    std::string content = AttributeColumn(type, random.Column(type, rows, 3)).Encode();
    content.resize(content.size() - 8);
    for (size_t i = 0; i < content.size(); ++i) {
      REQUIRE(ReasonFor(std::string_view(content).substr(0, i), rows) == "CORRUPT_ATTRIBUTES");
      for (int value = 0; value < 256; ++value) {
        std::string changed = content;
        changed[i] = static_cast<char>(value);
        AppendLittleEndian(changed, Checksum64(AsBytes(changed)));
        const auto column = AttributeColumn::Decode(AsBytes(changed), rows);
        if (column.ok()) REQUIRE(column->Encode() == changed);
      }
    }
  }
}

TEST_CASE("What a column must not be") {
  const std::string corrupt = "CORRUPT_ATTRIBUTES";
  // A bool column of two rows, right and wrong: version, type, rows, values, dictionary, least code, codes.
  CHECK(ReasonFor(Content({1, 4, 2, 2, 0, 1, 1, 0b10}), 2) == "OK");
  CHECK(ReasonFor(Content({2, 4, 2, 2, 0, 1, 1, 0b10}), 2) == "UNKNOWN_VERSION");
  CHECK(ReasonFor(Content({1, 0, 2, 2, 0, 1, 1, 0b10}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 6, 2, 2, 0, 1, 1, 0b10}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 0x82, 0, 2, 0, 1, 1, 0b10}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 2, 3, 0, 1, 1, 1, 0b10}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 2, 2, 1, 0, 1, 0b10}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 2, 2, 0, 2, 1, 0b10}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 2, 2, 0, 1, 2, 0b10}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 2, 2, 0, 1, 1, 0b110}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 2, 2, 0, 1, 1, 0b00}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 2, 2, 0, 1, 1, 0b10, 0}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 2, 2, 0, 1, 1}), 2) == corrupt);
  // Codes with room for absent rows, where there are none; and one past the dictionary.
  CHECK(ReasonFor(Content({1, 4, 2, 2, 0, 1, 0, 0b1001}), 2) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 3, 2, 0, 1, 0, 0b100100}), 3) == "OK");
  CHECK(ReasonFor(Content({1, 4, 3, 2, 0, 1, 0, 0b110100}), 3) == corrupt);
  // No rows.
  CHECK(ReasonFor(Content({1, 4, 0, 0, 0}), 0) == "OK");
  CHECK(ReasonFor(Content({1, 4, 0, 0, 1}), 0) == corrupt);
  CHECK(ReasonFor(Content({1, 4, 1, 0, 1}), 1) == corrupt);
}

TEST_CASE("Rows that no bytes stand for are not made room for") {
  const std::string rows_and_values = Content({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f});
  CHECK(ReasonFor(Content({1, 2}) + rows_and_values + rows_and_values, 10) == "CORRUPT_ATTRIBUTES");
  const auto rows = std::numeric_limits<size_t>::max() >> 1;
  CHECK(ReasonFor(Content({1, 2}) + rows_and_values + rows_and_values, rows) == "CORRUPT_ATTRIBUTES");
  const std::string one_value = LittleEndian(7);
  CHECK(ReasonFor(Content({1, 2}) + rows_and_values + Content({1}) + one_value + Content({0, 1}), rows) ==
        "CORRUPT_ATTRIBUTES");
}

TEST_CASE("Doubles that are no number, or -0, are refused") {
  const auto reason = [](uint64_t bits) {
    return ReasonFor(Content({1, 3, 1, 1}) + LittleEndian(bits) + Content({1}), 1);
  };
  CHECK(reason(0) == "OK");
  CHECK(reason(0x7ff0'0000'0000'0000) == "OK");
  CHECK(reason(0x8000'0000'0000'0000) == "CORRUPT_ATTRIBUTES");
  CHECK(reason(0x7ff8'0000'0000'0000) == "CORRUPT_ATTRIBUTES");
  CHECK(reason(0xfff0'0000'0000'0001) == "CORRUPT_ATTRIBUTES");
}

TEST_CASE("Strings that are too long are refused") {
  const auto reason = [](size_t length) {
    std::string content = Content({1, 1, 1, 1});
    content.push_back(static_cast<char>((length & 0x7f) | 0x80));
    content.push_back(static_cast<char>(length >> 7));
    return ReasonFor(content + std::string(length, 'x') + Content({1}), 1);
  };
  CHECK(reason(kAttributeBytesMax) == "OK");
  CHECK(reason(kAttributeBytesMax + 1) == "CORRUPT_ATTRIBUTES");
}

TEST_CASE("Integers neither stand still nor run over") {
  const auto reason = [](int64_t first, const std::string& difference) {
    return ReasonFor(
        Content({1, 2, 2, 2}) + LittleEndian(static_cast<uint64_t>(first)) + difference + Content({1, 0b10}),
        2);
  };
  const std::string longest = Content({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f});
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  CHECK(reason(5, Content({1})) == "OK");
  CHECK(reason(5, Content({0})) == "CORRUPT_ATTRIBUTES");
  CHECK(reason(5, Content({0x81, 0})) == "CORRUPT_ATTRIBUTES");
  CHECK(reason(kMax - 1, Content({1})) == "OK");
  CHECK(reason(kMax, Content({1})) == "CORRUPT_ATTRIBUTES");
  CHECK(reason(0, longest + LittleEndian(uint64_t{kMax})) == "OK");
  CHECK(reason(1, longest + LittleEndian(uint64_t{kMax})) == "CORRUPT_ATTRIBUTES");
  CHECK(reason(0, longest + LittleEndian(uint64_t{kMax} - 1)) == "CORRUPT_ATTRIBUTES");
  CHECK(reason(std::numeric_limits<int64_t>::min(), longest + LittleEndian(~uint64_t{0})) == "OK");
  CHECK(reason(std::numeric_limits<int64_t>::min() + 1, longest + LittleEndian(~uint64_t{0})) ==
        "CORRUPT_ATTRIBUTES");
}

}  // namespace
}  // namespace freqstore

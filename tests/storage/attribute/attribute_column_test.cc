#include "storage/attribute/attribute_column.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "fmt/format.h"
#include "tests/storage/attribute/random_values.h"

namespace freqstore {
namespace {

using Values = std::vector<AttributeValue>;

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const uint8_t byte : AsBytes(bytes)) hex += fmt::format("{:02x} ", byte);
  return hex;
}

Values ValuesOf(const AttributeColumn& column) {
  Values values;
  for (size_t row = 0; row < column.rows(); ++row) values.push_back(column.value(row));
  return values;
}

void CheckRoundTrip(AttributeType type, const Values& values) {
  const AttributeColumn column(type, values);
  REQUIRE(ValuesOf(column) == values);
  const auto dictionary = column.dictionary();
  REQUIRE(std::adjacent_find(dictionary.begin(), dictionary.end(),
                             [](const auto& a, const auto& b) { return !(a < b); }) == dictionary.end());
  const std::string bytes = column.Encode();
  const auto decoded = AttributeColumn::Decode(AsBytes(bytes), values.size());
  REQUIRE(decoded.ok());
  REQUIRE(decoded->type() == type);
  REQUIRE(ValuesOf(*decoded) == values);
  REQUIRE(decoded->Encode() == bytes);
  REQUIRE(decoded->zone_map() == column.zone_map());
}

TEST_CASE("The examples of FORMAT.md") {
  const AttributeColumn labels(
      AttributeType::kString,
      Values{std::string("dog"), {}, std::string("cat"), std::string("dog"), std::string("dog")});
  CHECK(Hex(labels.Encode()) == "01 01 05 02 03 63 61 74 03 64 6f 67 00 92 02 0a e1 20 d2 3a c1 49 8c ");
  const AttributeColumn widths(AttributeType::kInteger, Values{int64_t{500}, int64_t{640}, int64_t{500}});
  CHECK(Hex(widths.Encode()) == "01 02 03 02 f4 01 00 00 00 00 00 00 8c 01 01 02 bf 12 5a b6 41 3f a3 cd ");
}

TEST_CASE("A column gives its rows back") {
  testutil::RandomValues random(1);
  for (const AttributeType type : testutil::kTypes) {
    for (size_t rows = 0; rows < 40; ++rows) {
      for (const size_t absent_chances : {0u, 1u, 2u, 10u})
        CheckRoundTrip(type, random.Column(type, rows, absent_chances));
    }
  }
}

TEST_CASE("A column with a value of its own for each row gives them back") {
  for (const size_t rows : {1u, 2u, 3u, 4u, 127u, 128u, 129u, 5000u}) {
    Values integers(rows);
    Values strings(rows);
    for (size_t row = 0; row < rows; ++row) {
      integers[row] = static_cast<int64_t>(row * row * 2654435761u % 1000003) - 500000;
      strings[row] = "photo-" + std::to_string(rows - row);
    }
    CheckRoundTrip(AttributeType::kInteger, integers);
    CheckRoundTrip(AttributeType::kString, strings);
    integers.back() = {};
    strings.front() = {};
    CheckRoundTrip(AttributeType::kInteger, integers);
    CheckRoundTrip(AttributeType::kString, strings);
  }
}

TEST_CASE("Integers use their whole range") {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  CheckRoundTrip(AttributeType::kInteger, {kMin, kMax});
  CheckRoundTrip(AttributeType::kInteger, {kMin, int64_t{-1}, int64_t{0}, int64_t{1}, kMax});
  CheckRoundTrip(AttributeType::kTimestamp, {Timestamp{kMin}, Timestamp{-2}, Timestamp{kMax}});
  // Differences on both sides of what fits a number of variable length.
  for (const int64_t first : {int64_t{-2}, int64_t{-1}, int64_t{0}, int64_t{1}})
    CheckRoundTrip(AttributeType::kInteger, {first, kMax});
}

TEST_CASE("Strings are any bytes") {
  CheckRoundTrip(AttributeType::kString, {std::string(), std::string("\0", 1), std::string("\xff\xfe"),
                                          std::string("\x7f"), std::string(kAttributeBytesMax, 'x')});
}

TEST_CASE("There is one zero") {
  const AttributeColumn column(AttributeType::kDouble, Values{-0.0, 0.0, -0.0});
  REQUIRE(column.dictionary().size() == 1);
  CHECK_FALSE(std::signbit(std::get<double>(column.value(0))));
}

TEST_CASE("A column that says one thing is a few bytes") {
  CHECK(AttributeColumn(AttributeType::kBool, Values(4096, true)).Encode().size() == 15);
  CHECK(AttributeColumn(AttributeType::kString, Values(4096)).Encode().size() == 14);
  CHECK(AttributeColumn(AttributeType::kString, {}).Encode().size() == 13);
}

TEST_CASE("Codes take no more bits than they need") {
  Values bools(800, true);
  for (size_t row = 0; row < bools.size(); row += 3) bools[row] = false;
  CHECK(AttributeColumn(AttributeType::kBool, bools).Encode().size() == 16 + 100);
  bools[1] = {};
  CHECK(AttributeColumn(AttributeType::kBool, bools).Encode().size() == 16 + 200);
}

TEST_CASE("A column knows its bounds") {
  const AttributeColumn column(AttributeType::kInteger, Values{int64_t{5}, {}, int64_t{-3}, int64_t{5}});
  CHECK(column.zone_map() == ZoneMap{.present = 3, .min = int64_t{-3}, .max = int64_t{5}});
  CHECK(AttributeColumn(AttributeType::kInteger, Values(3)).zone_map() == ZoneMap{});
}

}  // namespace
}  // namespace freqstore

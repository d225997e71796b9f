#include "storage/attribute/attribute_value.h"

#include <limits>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("The alternatives are in the order of the types") {
  CHECK_FALSE(IsPresent(AttributeValue()));
  CHECK(TypeOf(std::string("a")) == AttributeType::kString);
  CHECK(TypeOf(int64_t{1}) == AttributeType::kInteger);
  CHECK(TypeOf(1.0) == AttributeType::kDouble);
  CHECK(TypeOf(true) == AttributeType::kBool);
  CHECK(TypeOf(Timestamp{1}) == AttributeType::kTimestamp);
}

TEST_CASE("Types have names") {
  for (uint8_t number = 1; number <= 5; ++number) {
    const auto type = static_cast<AttributeType>(number);
    CHECK(ParseTypeName(TypeName(type)) == type);
  }
  CHECK(TypeName(AttributeType::kTimestamp) == "timestamp");
  CHECK_FALSE(ParseTypeName("String"));
  CHECK_FALSE(ParseTypeName(""));
}

TEST_CASE("Values read as a filter would write them") {
  CHECK(FormatValue(AttributeValue()) == "absent");
  CHECK(FormatValue(std::string("dog")) == "\"dog\"");
  CHECK(FormatValue(std::string()) == "\"\"");
  CHECK(FormatValue(int64_t{512}) == "512");
  CHECK(FormatValue(std::numeric_limits<int64_t>::min()) == "-9223372036854775808");
  CHECK(FormatValue(0.25) == "0.25");
  CHECK(FormatValue(3.0) == "3");
  CHECK(FormatValue(0.1) == "0.1");
  CHECK(FormatValue(1e30) == "1e+30");
  CHECK(FormatValue(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(FormatValue(true) == "true");
  CHECK(FormatValue(false) == "false");
  CHECK(FormatValue(Timestamp{1'769'860'800'000'000}) == "\"2026-01-31T12:00:00Z\"");
}

TEST_CASE("Strings are quoted so that they print") {
  CHECK(FormatValue(std::string("a\"b\\c")) == R"("a\"b\\c")");
  CHECK(FormatValue(std::string("it's")) == "\"it's\"");
  CHECK(FormatValue(std::string("caf\xc3\xa9")) == "\"caf\xc3\xa9\"");
  CHECK(FormatValue(std::string("a\nb\0c", 5)) == R"("a\x0ab\x00c")");
  CHECK(FormatValue(std::string("caf\xe9\xff")) == R"("caf\xe9\xff")");
  CHECK(FormatValue(std::string("\xc2\x85")) == R"("\xc2\x85")");
}

}  // namespace
}  // namespace freqstore

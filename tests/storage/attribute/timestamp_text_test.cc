#include <limits>
#include <random>
#include <string>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "storage/attribute/attribute_value.h"

namespace freqstore {
namespace {

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kHour = 3600 * kSecond;
constexpr int64_t kDay = 24 * kHour;

TEST_CASE("Moments are read") {
  const std::pair<const char*, int64_t> cases[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"1970-01-01", 0},
      {"1970-01-02", kDay},
      {"1969-12-31T23:59:59.999999Z", -1},
      {"2026-01-31T12:00:00Z", 1'769'860'800 * kSecond},
      {"2026-01-31t12:00:00z", 1'769'860'800 * kSecond},
      {"2026-01-31 12:00:00Z", 1'769'860'800 * kSecond},
      {"2026-01-31T12:00:00.25+01:00", 1'769'860'800 * kSecond - kHour + kSecond / 4},
      {"1970-01-01T00:00:00-00:30", kHour / 2},
      {"1970-01-01T00:00:00.1234567Z", 123'456},
      {"2000-02-29", 951'782'400 * kSecond},
      {"2016-12-31T23:59:60Z", 1'483'228'800 * kSecond},
      {"2017-01-01T00:59:60+01:00", 1'483'228'800 * kSecond},
      {"0000-01-01", -719'528 * kDay},
      {"9999-12-31T23:59:59.999999Z", 2'932'897 * kDay - 1},
  };
  for (const auto& [text, micros] : cases) {
    CAPTURE(text);
    CHECK(ParseTimestamp(text) == Timestamp{micros});
  }
}

TEST_CASE("What is no moment is refused") {
  for (const char* text : {"",
                           "2026",
                           "2026-01",
                           "2026-1-31",
                           "26-01-31",
                           "2026-02-29",
                           "1900-02-29",
                           "2026-04-31",
                           "2026-00-10",
                           "2026-13-01",
                           "2026-01-00",
                           "2026-01-32",
                           "2026-01-31T",
                           "2026-01-31T12",
                           "2026-01-31T12:00",
                           "2026-01-31T12:00:00",
                           "2026-01-31T24:00:00Z",
                           "2026-01-31T12:60:00Z",
                           "2026-01-31T12:00:61Z",
                           "2026-01-31T12:00:60Z",
                           "2026-01-31T12:00:00.Z",
                           "2026-01-31T12:00:00,5Z",
                           "2026-01-31T12:00:00+24:00",
                           "2026-01-31T12:00:00+01",
                           "2026-01-31T12:00:00+0100",
                           "2026-01-31T12:00:00+01:60",
                           "2026-01-31T12:00:00ZZ",
                           " 2026-01-31",
                           "2026-01-31 ",
                           "+2026-01-31",
                           "-001-01-01",
                           "2026/01/31",
                           "0000-01-01T00:00:00+00:01",
                           "9999-12-31T23:59:59-00:01",
                           "now",
                           "1769860800"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseTimestamp(text));
  }
}

TEST_CASE("Moments are written with the digits that they need") {
  CHECK(FormatTimestamp({0}) == "1970-01-01T00:00:00Z");
  CHECK(FormatTimestamp({kSecond / 4}) == "1970-01-01T00:00:00.250Z");
  CHECK(FormatTimestamp({1}) == "1970-01-01T00:00:00.000001Z");
  CHECK(FormatTimestamp({-1}) == "1969-12-31T23:59:59.999999Z");
  CHECK(FormatTimestamp({-719'528 * kDay}) == "0000-01-01T00:00:00Z");
}

TEST_CASE("Moments beyond RFC 3339 are written all the same") {
  CHECK(FormatTimestamp({std::numeric_limits<int64_t>::max()}) == "294247-01-10T04:00:54.775807Z");
  CHECK(FormatTimestamp({std::numeric_limits<int64_t>::min()}) == "-290308-12-21T19:59:05.224192Z");
}

TEST_CASE("Every day of four centuries comes back") {
  for (int64_t day = 0; day < 146'097; ++day) {
    const Timestamp timestamp{day * kDay};
    REQUIRE(ParseTimestamp(FormatTimestamp(timestamp)) == timestamp);
    REQUIRE(ParseTimestamp(FormatTimestamp(timestamp).substr(0, 10)) == timestamp);
  }
}

TEST_CASE("Any moment within RFC 3339 comes back") {
  std::mt19937_64 random(1);  // NOLINT(cert-msc51-cpp): the same moments in every run
  std::uniform_int_distribution<int64_t> micros(-719'528 * kDay, 2'932'897 * kDay - 1);
  for (int i = 0; i < 10'000; ++i) {
    const Timestamp timestamp{micros(random)};
    REQUIRE(ParseTimestamp(FormatTimestamp(timestamp)) == timestamp);
  }
}

}  // namespace
}  // namespace freqstore

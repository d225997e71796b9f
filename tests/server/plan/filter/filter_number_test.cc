#include "server/plan/filter/filter_number.h"

#include <limits>
#include <string>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

FilterInteger Floor(std::string_view text) {
  const auto number = ParseFilterNumber(text);
  REQUIRE(number);
  return FloorOf(*number);
}

TEST_CASE("Numbers are read as decimal digits") {
  for (const char* text :
       {"120", "+120", "120.", "120.000", "0120", "1.2e2", "1.2E+2", ".12e3", "1200e-1", "0.00000120e8"}) {
    CAPTURE(text);
    const auto number = ParseFilterNumber(text);
    REQUIRE(number);
    CHECK_FALSE(number->is_negative);
    CHECK(number->digits == "12");
    CHECK(number->exponent == 3);
  }
  CHECK(ParseFilterNumber("-0.5")->is_negative);
  CHECK(ParseFilterNumber("-0.5")->exponent == 0);
  CHECK(ParseFilterNumber("0.005")->exponent == -2);
}

TEST_CASE("There is one zero") {
  for (const char* text : {"0", "-0", "+0.00", "000", ".0", "0e999999999999"}) {
    const auto number = ParseFilterNumber(text);
    REQUIRE(number);
    CHECK(number->digits.empty());
    CHECK_FALSE(number->is_negative);
    CHECK(number->exponent == 0);
  }
}

TEST_CASE("What is no number is refused") {
  for (const char* text :
       {"",    "+",   "-",    ".",     "-.",  "e5",  ".e5",   "1e", "1e+", "1.2.3",   "1-2",
        "--1", "+-1", "0x10", "1e5.5", "inf", "nan", "1_000", " 1", "1 ",  "\xd9\xa1"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseFilterNumber(text));
  }
}

TEST_CASE("Floors are exact at the ends of the range") {
  const struct {
    const char* text;
    std::optional<int64_t> floor;
    bool is_exact;
  } cases[] = {
      {"0", 0, true},
      {"0.001", 0, false},
      {"-0.001", -1, false},
      {"1e-999999999999", 0, false},
      {"-1e-999999999999", -1, false},
      {"2.5", 2, false},
      {"-2.5", -3, false},
      {"25e-1", 2, false},
      {"1e18", 1'000'000'000'000'000'000, true},
      {"9223372036854775807", kMax, true},
      {"9223372036854775806.9", kMax - 1, false},
      {"9223372036854775807.1", kMax, false},
      {"9223372036854775808", kMax, false},
      {"9999999999999999999", kMax, false},
      {"18446744073709551616", kMax, false},
      {"1e19", kMax, false},
      {"1e999999999999", kMax, false},
      {"-9223372036854775807", kMin + 1, true},
      {"-9223372036854775807.5", kMin, false},
      {"-9223372036854775808", kMin, true},
      {"-9223372036854775808.5", std::nullopt, false},
      {"-9223372036854775809", std::nullopt, false},
      {"-9999999999999999999.5", std::nullopt, false},
      {"-1e999999999999", std::nullopt, false},
  };
  for (const auto& test : cases) {
    CAPTURE(test.text);
    const FilterInteger integer = Floor(test.text);
    CHECK(integer.floor == test.floor);
    CHECK(integer.is_exact == test.is_exact);
  }
  // A small number in many digits.
  CHECK(Floor("0." + std::string(15'000, '0') + "5e15001").floor == 5);
}

TEST_CASE("Doubles are the nearest ones") {
  CHECK(NearestDouble("0.1") == 0.1);
  CHECK(NearestDouble("+1e3") == 1000.0);
  CHECK(NearestDouble("9007199254740993") == 9007199254740992.0);
  CHECK(NearestDouble("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(NearestDouble("1e-400") == 0.0);
  CHECK(NearestDouble("-1e-400") == 0.0);
  CHECK(NearestDouble("1.7976931348623157e308") == std::numeric_limits<double>::max());
  CHECK_FALSE(NearestDouble("1e400"));
  CHECK_FALSE(NearestDouble("-1e400"));
}

}  // namespace
}  // namespace freqstore

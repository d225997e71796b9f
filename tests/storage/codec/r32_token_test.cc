#include "storage/codec/r32_token.h"

#include <cstdlib>

#include <catch2/catch_test_macros.hpp>

#include "storage/codec/r32_model.h"

namespace freqstore {

TEST_CASE("Every value splits into a token and raw bits, and back", "[r32]") {
  for (int value = -INT16_MAX; value <= INT16_MAX; ++value) {
    CAPTURE(value);
    const R32Split split = R32SplitValue(static_cast<int16_t>(value));
    REQUIRE(split.token < kR32TokensMax);
    REQUIRE(split.raw_bits == R32RawBits(split.token));
    REQUIRE(split.raw >> split.raw_bits == 0);
    REQUIRE(split.token == R32TokenOf(static_cast<uint32_t>(std::abs(value))));
    REQUIRE(R32JoinValue(split.token, split.raw) == value);
    REQUIRE((split.token < kR32NarrowTokensMax) == (std::abs(value) < 128));
  }
}

TEST_CASE("Tokens are those of FORMAT.md", "[r32]") {
  CHECK(R32SplitValue(0).raw_bits == 0);
  for (int magnitude = 1; magnitude < 4; ++magnitude) {
    const R32Split split = R32SplitValue(static_cast<int16_t>(-magnitude));
    CHECK(split.token == static_cast<uint32_t>(magnitude));
    CHECK(split.raw_bits == 1);
    CHECK(split.raw == 1);
  }
  CHECK(R32SplitValue(5).token == 4);
  CHECK(R32SplitValue(7).token == 4);
  CHECK(R32SplitValue(8).token == 5);
  CHECK(R32SplitValue(15).token == 5);
  CHECK(R32SplitValue(16).token == 6);
  CHECK(R32SplitValue(-5).raw_bits == 3);
  CHECK(R32SplitValue(-5).raw == 3);
  CHECK(R32SplitValue(INT16_MAX).token == 16);
  CHECK(R32SplitValue(INT16_MAX).raw_bits == 15);
  CHECK(R32TokenOf(32768) == kR32TokensMax);
}

TEST_CASE("The ranges of tokens follow each other", "[r32]") {
  for (uint32_t token = 1; token < kR32TokensMax; ++token) {
    CAPTURE(token);
    CHECK(R32TokenOf(R32Base(token)) == token);
    CHECK(R32TokenOf(R32Base(token) - 1) == token - 1);
  }
}

}  // namespace freqstore

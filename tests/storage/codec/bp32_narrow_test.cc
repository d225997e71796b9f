// bp32 runs whose values fit int8.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/codec/bp32_codec.h"
#include "tests/storage/codec/guarded_buffer.h"
#include "tests/storage/codec/test_values.h"

namespace freqstore {
namespace {

using testutil::GuardedBuffer;

BlockGrid RowOf(size_t blocks) {
  return {static_cast<uint32_t>(blocks), 1};
}

}  // namespace

TEST_CASE("Every implementation decodes narrow runs as the reference does", "[bp32]") {
  std::mt19937 random(17);
  for (size_t count : {1u, 2u, 31u, 32u, 33u, 64u, 65u, 127u, 160u, 500u, 1024u, 2961u}) {
    for (unsigned bits = 0; bits <= kBp32NarrowWidth; ++bits) {
      CAPTURE(count, bits);
      std::vector<int16_t> values = testutil::ValuesOfBits(count, bits, random);
      if (bits <= 4) testutil::AddOutliers(values, random);  // of 8 times as much, and 1
      std::string run;
      REQUIRE(Bp32Codec(SimdLevel::kScalar).EncodeRun(1, RowOf(count), values, run));
      for (SimdLevel level : SupportedSimdLevels()) {
        CAPTURE(SimdLevelName(level));
        GuardedBuffer bytes(run.size());
        std::copy(run.begin(), run.end(), bytes.data());
        GuardedBuffer out(count);
        auto* const narrow = reinterpret_cast<int8_t*>(out.data());
        REQUIRE(Bp32Codec(level).DecodeNarrowRun({bytes.data(), run.size()}, {narrow, count}).ok());
        CHECK(std::equal(values.begin(), values.end(), narrow, narrow + count));
      }
    }
  }
}

TEST_CASE("Every implementation finds the greatest width", "[bp32]") {
  std::mt19937 random(19);
  for (size_t groups = 1; groups < 150; ++groups) {
    const unsigned limit = 1 + static_cast<unsigned>(random() % 16);
    std::vector<unsigned> nibbles(groups + groups % 2);
    unsigned expected = 0;
    for (size_t g = 0; g < groups; ++g) {
      nibbles[g] = static_cast<unsigned>(random()) % limit;
      expected = std::max(expected, nibbles[g] == 15 ? 16 : nibbles[g]);
    }
    GuardedBuffer widths(nibbles.size() / 2);
    for (size_t i = 0; i < widths.size(); ++i)
      widths.data()[i] = static_cast<uint8_t>(nibbles[2 * i] | nibbles[2 * i + 1] << 4);
    for (SimdLevel level : SupportedSimdLevels()) {
      CAPTURE(groups, SimdLevelName(level));
      CHECK(GetBp32Kernels(level).width_max(widths.data(), groups) == expected);
    }
  }
}

TEST_CASE("A run is narrow exactly if its values are within -128..127", "[bp32]") {
  std::mt19937 random(23);
  for (SimdLevel level : SupportedSimdLevels()) {
    CAPTURE(SimdLevelName(level));
    const Bp32Codec codec(level);
    for (int extreme : {-129, -128, -127, 0, 126, 127, 128, -32768, 32767}) {
      for (size_t count : {1u, 33u, 200u}) {
        CAPTURE(extreme, count);
        std::vector<int16_t> values = testutil::ValuesOfBits(count, 8, random);
        values[random() % count] = static_cast<int16_t>(extreme);
        std::string run;
        const bool fits = extreme >= -128 && extreme <= 127;
        CHECK(codec.EncodeRun(5, RowOf(count), values, run) == fits);
        std::vector<int8_t> narrow(count);
        if (!fits) {
          CHECK(ReasonOf(codec.DecodeNarrowRun(AsBytes(run), narrow)) == "CORRUPT_CHUNK");
          continue;
        }
        REQUIRE(codec.DecodeNarrowRun(AsBytes(run), narrow).ok());
        CHECK(std::equal(values.begin(), values.end(), narrow.begin(), narrow.end()));
      }
    }
  }
}

TEST_CASE("DC is not narrow", "[bp32]") {
  const std::vector<int16_t> zeros(40);
  std::string run;
  CHECK(!Bp32Codec(BestSimdLevel()).EncodeRun(0, RowOf(40), zeros, run));
}

TEST_CASE("A narrow run of another length than its widths promise is refused", "[bp32]") {
  std::mt19937 random(29);
  for (SimdLevel level : SupportedSimdLevels()) {
    const Bp32Codec codec(level);
    std::string run;
    codec.EncodeRun(1, RowOf(70), testutil::ValuesOfBits(70, 8, random), run);
    std::vector<int8_t> narrow(70);
    for (size_t length = 0; length < run.size(); ++length)
      CHECK(ReasonOf(codec.DecodeNarrowRun(AsBytes(run.substr(0, length)), narrow)) == "CORRUPT_CHUNK");
    CHECK(ReasonOf(codec.DecodeNarrowRun(AsBytes(run + '\0'), narrow)) == "CORRUPT_CHUNK");
  }
}

}  // namespace freqstore

#include "storage/codec/bp32_codec.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "tests/storage/codec/test_values.h"

namespace freqstore {
namespace {

const RunCodec& Codec() {
  static const Bp32Codec codec(BestSimdLevel());
  return codec;
}

std::string EncodeOne(int frequency, BlockGrid grid, const std::vector<int16_t>& values) {
  std::string run;
  Codec().EncodeRun(frequency, grid, values, run);
  return run;
}

absl::StatusOr<std::vector<int16_t>> DecodeOne(int frequency, BlockGrid grid, Bytes run) {
  std::vector<int16_t> values(grid.blocks());
  RETURN_IF_ERROR(Codec().DecodeRun(frequency, grid, run, values));
  return values;
}

}  // namespace

TEST_CASE("The worked example of FORMAT.md", "[bp32]") {
  // Values 1, -1, 0, 2, then 29 zeros, and -32768 as the 34th. Codes 2, 1, 0, 4: a width of 0, and three
  // exceptions. The second group has a code of 16 bits: a width of 13, and an exception.
  std::vector<int16_t> values(34);
  values[0] = 1;
  values[1] = -1;
  values[3] = 2;
  values[33] = -32768;
  const std::string run = EncodeOne(1, {34, 1}, values);
  std::string expected("\xd0\x07", 2);             // widths 0 and 13, counts 3 and 1
  expected += std::string("\x00\xe0\xff\x03", 4);  // 13 bits of 65535 from bit 13 on
  expected += std::string(48, '\0');
  expected += "\x40\x21\x83\xe1";  // places 0, 1, 3 and 1; excesses 2, 1, 4 and 7
  CHECK(run == expected);
  CHECK(*DecodeOne(1, {34, 1}, AsBytes(run)) == values);
}

TEST_CASE("The worked example of FORMAT.md for DC", "[bp32]") {
  // A grid of 3 x 2: rows 10 12 11 and 8 8 -2. Residuals 10 2 -1, then 8 - 10 = -2, 0, -10; codes 20 4 1 3
  // 0 19: a width of 2, and exceptions at 0, 1 and 5.
  const std::vector<int16_t> values = {10, 12, 11, 8, 8, -2};
  const std::string run = EncodeOne(0, {3, 2}, values);
  // Two bits each: 0 | 0 << 2 | 1 << 4 | 3 << 6 | 0 << 8 | 3 << 10 = 0xcd0.
  CHECK(run == std::string("\x02\x03\xd0\x0c\0\0\0\0\0\0\xa0\x21\x85", 13));
  CHECK(*DecodeOne(0, {3, 2}, AsBytes(run)) == values);
}

TEST_CASE("bp32 gives values back, of any size and grid", "[bp32]") {
  std::mt19937 random(3);
  for (int frequency : {0, 1, 63}) {
    for (BlockGrid grid : {BlockGrid{0, 0}, {1, 1}, {1, 40}, {40, 1}, {8, 4}, {33, 3}, {63, 47}}) {
      for (unsigned bits = 0; bits <= 16; ++bits) {
        CAPTURE(frequency, grid.width_blocks, grid.height_blocks, bits);
        std::vector<int16_t> values = testutil::ValuesOfBits(grid.blocks(), bits, random);
        for (int round = 0; round < 2; ++round) {
          const std::string run = EncodeOne(frequency, grid, values);
          CHECK(run.size() >= Codec().BytesMin(grid.blocks()));
          const auto decoded = DecodeOne(frequency, grid, AsBytes(run));
          REQUIRE(decoded.ok());
          CHECK(*decoded == values);
          testutil::AddOutliers(values, random);
        }
      }
    }
  }
}

TEST_CASE("Values that stand out are exceptions", "[bp32]") {
  std::vector<int16_t> values(64, 1);  // codes of 2 bits
  const size_t plain = EncodeOne(1, {64, 1}, values).size();
  CHECK(plain == 1 + 1 + 2 * 8);
  for (size_t i : {5u, 9u, 31u}) values[i] = -12;  // codes of 5 bits: as far as it goes
  CHECK(EncodeOne(1, {64, 1}, values).size() == plain + 3);
  values[17] = 12;  // a fourth is too many
  CHECK(EncodeOne(1, {64, 1}, values).size() == plain + 3 * 4);
}

TEST_CASE("A run of another length than its widths and counts promise is refused", "[bp32]") {
  std::mt19937 random(9);
  const BlockGrid grid{11, 9};
  std::vector<int16_t> values = testutil::MixedValues(grid.blocks(), random);
  testutil::AddOutliers(values, random);
  const std::string run = EncodeOne(1, grid, values);
  for (size_t length = 0; length < run.size(); ++length) {
    const std::string cut = run.substr(0, length);
    CHECK(ReasonOf(DecodeOne(1, grid, AsBytes(cut)).status()) == "CORRUPT_CHUNK");
  }
  CHECK(ReasonOf(DecodeOne(1, grid, AsBytes(run + '\0')).status()) == "CORRUPT_CHUNK");
}

TEST_CASE("Spare widths and counts must be zero", "[bp32]") {
  const BlockGrid grid{4, 4};
  const std::string run = EncodeOne(1, grid, std::vector<int16_t>(16, 1));
  REQUIRE(DecodeOne(1, grid, AsBytes(run)).ok());
  for (size_t byte : {0u, 1u}) {
    std::string changed = run;
    changed[byte] = static_cast<char>(changed[byte] | 0x10);
    CHECK(ReasonOf(DecodeOne(1, grid, AsBytes(changed)).status()) == "CORRUPT_CHUNK");
  }
}

TEST_CASE("An exception must be of a value of the image", "[bp32]") {
  const BlockGrid grid{5, 1};
  std::string run = EncodeOne(1, grid, {0, 0, 0, 0, 3});
  CHECK(run == std::string("\x00\x01\xc4", 3));
  run[2] = '\xc5';
  CHECK(ReasonOf(DecodeOne(1, grid, AsBytes(run)).status()) == "CORRUPT_CHUNK");
  std::vector<int8_t> narrow(5);
  CHECK(ReasonOf(Codec().DecodeNarrowRun(AsBytes(run), narrow)) == "CORRUPT_CHUNK");
}

}  // namespace freqstore

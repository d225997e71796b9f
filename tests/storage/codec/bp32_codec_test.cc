#include "storage/codec/bp32_codec.h"

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
  std::string bytes;
  const ImageValues images[] = {values};
  Codec().Encode({.frequency = frequency, .grids = {&grid, 1}}, images, bytes);
  return bytes;
}

absl::StatusOr<std::vector<int16_t>> DecodeOne(int frequency, BlockGrid grid, Bytes bytes) {
  std::vector<int16_t> values(grid.blocks());
  RETURN_IF_ERROR(Codec().DecodeRun(frequency, grid, bytes, values));
  return values;
}

}  // namespace

TEST_CASE("The worked example of FORMAT.md", "[bp32]") {
  // Values 1, -1, 0, 2, then 29 zeros, and -32768 as the 34th: two groups, of widths 3 and 16.
  std::vector<int16_t> values(34);
  values[0] = 1;
  values[1] = -1;
  values[3] = 2;
  values[33] = -32768;
  const std::string bytes = EncodeOne(1, {34, 1}, values);
  // Codes 2, 1, 0, 4 of 3 bits: 0b100'000'001'010 = 0x80a.
  std::string expected("\xf3\x0a\x08", 3);
  expected += std::string(10, '\0');
  expected += std::string("\x00\x00\xff\xff", 4) + std::string(60, '\0');
  CHECK(bytes == expected);
  CHECK(*DecodeOne(1, {34, 1}, AsBytes(bytes)) == values);
}

TEST_CASE("The worked example of FORMAT.md for DC", "[bp32]") {
  // A grid of 3 x 2: rows 10 12 11 and 8 8 -2. Residuals 10 2 -1, then 8 - 10 = -2, 0, -10; codes 20 4 1 3
  // 0 19.
  const std::vector<int16_t> values = {10, 12, 11, 8, 8, -2};
  const std::string bytes = EncodeOne(0, {3, 2}, values);
  // 5 bits each: 20 | 4 << 5 | 1 << 10 | 3 << 15 | 0 << 20 | 19 << 25 = 0x26018494.
  CHECK(bytes == std::string("\x05\x94\x84\x01\x26", 5) + std::string(16, '\0'));
  CHECK(*DecodeOne(0, {3, 2}, AsBytes(bytes)) == values);
}

TEST_CASE("bp32 gives values back, of any size and grid", "[bp32]") {
  std::mt19937 random(3);
  for (int frequency : {0, 1, 63}) {
    for (BlockGrid grid : {BlockGrid{1, 1}, {1, 40}, {40, 1}, {8, 4}, {33, 3}, {63, 47}}) {
      for (unsigned bits = 0; bits <= 16; ++bits) {
        CAPTURE(frequency, grid.width_blocks, grid.height_blocks, bits);
        const std::vector<int16_t> values = testutil::ValuesOfBits(grid.blocks(), bits, random);
        const std::string bytes = EncodeOne(frequency, grid, values);
        const auto decoded = DecodeOne(frequency, grid, AsBytes(bytes));
        REQUIRE(decoded.ok());
        CHECK(*decoded == values);
      }
    }
  }
}

TEST_CASE("Runs of a substream are located and decode alone", "[bp32]") {
  std::mt19937 random(5);
  const std::vector<BlockGrid> grids = {{5, 7}, {1, 1}, {0, 0}, {64, 3}, {9, 9}};
  for (int frequency : {0, 5}) {
    std::vector<std::vector<int16_t>> values;
    std::vector<ImageValues> images;
    for (BlockGrid grid : grids) values.push_back(testutil::MixedValues(grid.blocks(), random));
    for (const auto& image : values) images.emplace_back(image);
    const SubstreamShape shape{.frequency = frequency, .grids = grids};
    std::string bytes = "kept";
    Codec().Encode(shape, images, bytes);
    CHECK(bytes.starts_with("kept"));
    const Bytes substream = AsBytes(bytes).subspan(4);

    std::vector<uint32_t> offsets(grids.size() + 1);
    REQUIRE(Codec().LocateRuns(shape, substream, offsets).ok());
    CHECK(offsets.front() == 0);
    CHECK(offsets.back() == substream.size());
    CHECK(offsets[2] == offsets[3]);
    for (size_t i = 0; i < grids.size(); ++i) {
      const auto decoded =
          DecodeOne(frequency, grids[i], substream.subspan(offsets[i], offsets[i + 1] - offsets[i]));
      REQUIRE(decoded.ok());
      CHECK(*decoded == values[i]);
    }

    for (size_t length = 0; length < substream.size(); ++length) {
      const std::string cut(AsString(substream.first(length)));
      CHECK(ReasonOf(Codec().LocateRuns(shape, AsBytes(cut), offsets)) == "CORRUPT_CHUNK");
    }
    bytes += '\0';
    CHECK(ReasonOf(Codec().LocateRuns(shape, AsBytes(bytes).subspan(4), offsets)) == "CORRUPT_CHUNK");
  }
}

TEST_CASE("A run of another length than its widths promise is refused", "[bp32]") {
  std::mt19937 random(9);
  const BlockGrid grid{11, 9};
  const std::string bytes = EncodeOne(1, grid, testutil::MixedValues(grid.blocks(), random));
  for (size_t length = 0; length < bytes.size(); ++length) {
    const std::string cut = bytes.substr(0, length);
    CHECK(ReasonOf(DecodeOne(1, grid, AsBytes(cut)).status()) == "CORRUPT_CHUNK");
  }
  CHECK(ReasonOf(DecodeOne(1, grid, AsBytes(bytes + '\0')).status()) == "CORRUPT_CHUNK");
}

TEST_CASE("A spare width must be zero", "[bp32]") {
  const BlockGrid grid{4, 4};
  std::string bytes = EncodeOne(1, grid, std::vector<int16_t>(16, 1));
  REQUIRE(DecodeOne(1, grid, AsBytes(bytes)).ok());
  bytes[0] = static_cast<char>(bytes[0] | 0x10);
  CHECK(ReasonOf(DecodeOne(1, grid, AsBytes(bytes)).status()) == "CORRUPT_CHUNK");
}

}  // namespace freqstore

#include "storage/jpeg/block_transpose.h"

#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

namespace freqstore {
namespace {

using Transpose = void (*)(const int16_t (*)[kFrequencies], size_t, const PlanePointers&);

/// Planes back to back, each with a guard value behind it that must survive.
std::vector<int16_t> Run(Transpose transpose, const std::vector<int16_t>& blocks, size_t count) {
  std::vector<int16_t> planes((count + 1) * kFrequencies, 12345);
  PlanePointers pointers;
  for (size_t i = 0; i < kFrequencies; ++i) pointers[i] = planes.data() + i * (count + 1);
  transpose(reinterpret_cast<const int16_t(*)[kFrequencies]>(blocks.data()), count, pointers);
  return planes;
}

}  // namespace

TEST_CASE("The fast transpose equals the plain one", "[transpose]") {
  std::mt19937 random(1);
  for (size_t count : {0u, 1u, 7u, 8u, 9u, 15u, 16u, 31u, 32u, 33u, 39u, 40u, 64u, 71u, 200u}) {
    CAPTURE(count);
    std::vector<int16_t> blocks(count * kFrequencies);
    for (int16_t& value : blocks) value = static_cast<int16_t>(random());
    const std::vector<int16_t> planes = Run(TransposeBlocks, blocks, count);
    CHECK(planes == Run(TransposeBlocksReference, blocks, count));
    for (size_t i = 0; i < kFrequencies; ++i) {
      for (size_t b = 0; b < count; ++b) REQUIRE(planes[i * (count + 1) + b] == blocks[b * kFrequencies + i]);
    }
  }
}

TEST_CASE("Blocks are gathered from wide and narrow planes", "[transpose]") {
  const SimdLevel level = GENERATE(Catch::Generators::from_range(SupportedSimdLevels()));
  const FrequencySet narrow = GENERATE(FrequencySet(), FrequencySet(0x0ff0'1234'5678'9abc));
  CAPTURE(SimdLevelName(level), narrow.bits());
  std::mt19937 random(2);
  for (const uint32_t count : {1u, 7u, 8u, 9u, 25u, 32u, 33u, 63u, 200u}) {
    CAPTURE(count);
    CoefficientPlanes planes;
    planes.Reset({count, 2}, FrequencySet::All(), narrow);
    for (int z = 0; z < kFrequencies; ++z) {
      for (size_t b = 0; b < 2 * count; ++b) {
        if (planes.IsNarrow(z)) {
          planes.narrow_plane(z)[b] = static_cast<int8_t>(random());
        } else {
          planes.plane(z)[b] = static_cast<int16_t>(random());
        }
      }
    }
    const size_t room = (count + kGatherBlocks - 1) / kGatherBlocks * kGatherBlocks;
    std::vector<CoefficientBlock> blocks(room);
    std::vector<CoefficientBlock> expected(room);
    for (int group = 0; group < 8; ++group) {
      GatherBlocks(planes, count, count, group, blocks.data(), level);
      GatherBlocksReference(planes, count, count, group, expected.data());
    }
    blocks.resize(count);
    expected.resize(count);
    CHECK(blocks == expected);
  }
}

TEST_CASE("Masks show which values are left after a shift", "[transpose]") {
  std::mt19937 random(3);
  constexpr int16_t kValues[] = {0, 1, -1, 2, -2, 3, 7, -8, 255, -256, INT16_MAX, INT16_MIN};
  for (int round = 0; round < 1000; ++round) {
    CoefficientBlock block;
    for (int16_t& value : block) value = kValues[random() % std::size(kValues)];
    for (const int shift : {0, 1, 2, 8, 13}) {
      const BlockMasks masks = MasksOf(block, shift);
      const BlockMasks expected = MasksOfReference(block, shift);
      REQUIRE(masks.nonzero == expected.nonzero);
      REQUIRE(masks.one == expected.one);
    }
  }
}

}  // namespace freqstore

#include "storage/jpeg/block_transpose.h"

#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>

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

}  // namespace freqstore

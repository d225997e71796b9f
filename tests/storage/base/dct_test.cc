#include "storage/base/dct.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("zigzag order is a permutation that walks the diagonals") {
  for (int z = 0; z < kFrequencies; ++z) {
    REQUIRE(kNaturalToZigzag[kZigzagToNatural[static_cast<size_t>(z)]] == z);
    if (z > 0) {
      const int diagonal = HorizontalFrequency(z) + VerticalFrequency(z);
      const int previous = HorizontalFrequency(z - 1) + VerticalFrequency(z - 1);
      REQUIRE((diagonal == previous || diagonal == previous + 1));
    }
  }
}

TEST_CASE("a cut keeps what is inside both square and diagonal") {
  REQUIRE(FrequencySet::Cut(0, 14).empty());
  REQUIRE(FrequencySet::Cut(1, 14).bits() == 1);
  REQUIRE(FrequencySet::Cut(8, 14) == FrequencySet::All());
  REQUIRE(FrequencySet::Cut(4, 14).size() == 16);
  REQUIRE(FrequencySet::Cut(8, 1).size() == 3);
  REQUIRE(FrequencySet::Cut(4, 4).size() == 13);
}

TEST_CASE("rank counts the members before") {
  FrequencySet set;
  for (const int z : {0, 5, 63}) set.Insert(z);
  REQUIRE(set.Rank(0) == 0);
  REQUIRE(set.Rank(5) == 1);
  REQUIRE(set.Rank(63) == 2);
  REQUIRE_FALSE(set.Contains(4));
}

}  // namespace
}  // namespace freqstore

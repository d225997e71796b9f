// The vocabulary of JPEG's 8x8 transform: zigzag order, sets of frequencies, grids of blocks.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace freqstore {

inline constexpr int kBlockSide = 8;
inline constexpr int kFrequencies = 64;  ///< of one component: the coefficients of an 8x8 block
inline constexpr int kComponentsMax = 4;

/// Natural (row-major: 8 * v + u) index of each zigzag index. ITU-T T.81, figure 5.
inline constexpr std::array<uint8_t, kFrequencies> kZigzagToNatural = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/// Zigzag index of each natural index.
inline constexpr std::array<uint8_t, kFrequencies> kNaturalToZigzag = [] {
  std::array<uint8_t, kFrequencies> inverse{};
  for (uint8_t z = 0; z < kFrequencies; ++z) inverse[kZigzagToNatural[z]] = z;
  return inverse;
}();

/// Horizontal (u) and vertical (v) frequency of a zigzag index.
constexpr int HorizontalFrequency(int zigzag) {
  return kZigzagToNatural[static_cast<size_t>(zigzag)] % 8;
}
constexpr int VerticalFrequency(int zigzag) {
  return kZigzagToNatural[static_cast<size_t>(zigzag)] / 8;
}

/// A set of zigzag indices.
class FrequencySet {
 public:
  constexpr FrequencySet() = default;
  constexpr explicit FrequencySet(uint64_t bits) : bits_(bits) {}
  static constexpr FrequencySet All() { return FrequencySet(~uint64_t{0}); }

  /// The frequencies with u < side, v < side and u + v <= diagonal. Side 0 is the empty set.
  static constexpr FrequencySet Cut(int side, int diagonal) {
    FrequencySet set;
    for (int z = 0; z < kFrequencies; ++z) {
      const int u = HorizontalFrequency(z);
      const int v = VerticalFrequency(z);
      if (u < side && v < side && u + v <= diagonal) set.Insert(z);
    }
    return set;
  }

  constexpr bool Contains(int zigzag) const { return ((bits_ >> zigzag) & 1) != 0; }
  constexpr void Insert(int zigzag) { bits_ |= uint64_t{1} << zigzag; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int size() const { return std::popcount(bits_); }
  /// The number of members below `zigzag`: its position among the members.
  constexpr int Rank(int zigzag) const { return std::popcount(bits_ & ((uint64_t{1} << zigzag) - 1)); }
  constexpr uint64_t bits() const { return bits_; }
  constexpr FrequencySet& operator|=(FrequencySet other) {
    bits_ |= other.bits_;
    return *this;
  }
  friend constexpr bool operator==(FrequencySet, FrequencySet) = default;

 private:
  uint64_t bits_ = 0;
};

/// The 8x8 blocks of one component of one image.
struct BlockGrid {
  uint32_t width_blocks = 0;
  uint32_t height_blocks = 0;
  uint64_t blocks() const { return uint64_t{width_blocks} * height_blocks; }
  friend bool operator==(const BlockGrid&, const BlockGrid&) = default;
};

}  // namespace freqstore

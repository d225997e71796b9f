// Values to code, of every kind that matters to a codec.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace freqstore::testutil {

/// `count` values whose zigzag codes have up to `bits` bits (0..16).
inline std::vector<int16_t> ValuesOfBits(size_t count, unsigned bits, std::mt19937& random) {
  std::vector<int16_t> values(count);
  for (int16_t& value : values) {
    const auto code = static_cast<uint16_t>(random() & ((1u << bits) - 1));
    value = static_cast<int16_t>((code >> 1) ^ -(code & 1));
  }
  return values;
}

/// `count` values in stretches of 32 of changing width, as coefficients are.
inline std::vector<int16_t> MixedValues(size_t count, std::mt19937& random) {
  std::vector<int16_t> values;
  while (values.size() < count) {
    const std::vector<int16_t> group = ValuesOfBits(32, static_cast<unsigned>(random() % 17), random);
    values.insert(values.end(), group.begin(), group.end());
  }
  values.resize(count);
  return values;
}

/// Makes one value in about 16 greater than the others, as exceptions are.
inline void AddOutliers(std::vector<int16_t>& values, std::mt19937& random) {
  for (int16_t& value : values) {
    if (random() % 16 == 0) value = static_cast<int16_t>(value * (2 + static_cast<int>(random() % 8)) + 1);
  }
}

}  // namespace freqstore::testutil

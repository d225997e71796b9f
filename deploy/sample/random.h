// A small random generator whose values are the same with every compiler and library.
#pragma once

#include <cstdint>

namespace freqstore::sample {

/// One step of SplitMix64: also a good hash of an integer.
constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() { return Mix(state_++); }

  /// In [low, high).
  float Uniform(float low, float high) {
    return low + (high - low) * static_cast<float>(Next() >> 40) * 0x1p-24F;
  }
  /// In low..high, both included.
  int Integer(int low, int high) {
    return low + static_cast<int>(Next() % static_cast<uint64_t>(high - low + 1));
  }
  bool Chance(float probability) { return Uniform(0, 1) < probability; }

  /// Mean 0, standard deviation 1, never beyond 3.5: the sum of four 16-bit numbers.
  float Normal() {
    const uint64_t bits = Next();
    const auto sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    return (static_cast<float>(sum) * 0x1p-16F - 2) * 1.7320508F;
  }

 private:
  uint64_t state_;
};

}  // namespace freqstore::sample

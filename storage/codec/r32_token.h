// How r32 splits a value: a token, whose probability is modelled, and raw bits.
//
// Magnitudes 0..3 are tokens of their own. Above, the token tells e = floor(log2(magnitude)), and e raw bits
// the rest; so 17 tokens reach 32767. A value that is not 0 has one raw bit more, its sign, the lowest one.
//
// All functions are constexpr and internal to each file, which may be compiled for its own CPU.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace freqstore {
namespace {

constexpr uint32_t kR32DirectTokens = 4;

struct R32Split {
  uint32_t token;
  uint32_t raw_bits;  ///< how many
  uint32_t raw;
};

constexpr uint32_t R32TokenOf(uint32_t magnitude) {
  if (magnitude < kR32DirectTokens) return magnitude;
  return static_cast<uint32_t>(std::bit_width(magnitude)) - 1 + 2;
}

constexpr uint32_t R32RawBits(uint32_t token) {
  if (token < kR32DirectTokens) return token == 0 ? 0 : 1;
  return token - 1;
}

/// The least magnitude of a token.
constexpr uint32_t R32Base(uint32_t token) {
  return token < kR32DirectTokens ? token : 1u << (token - 2);
}

/// Of any value but -32768, which no token reaches.
constexpr R32Split R32SplitValue(int16_t value) {
  const bool negative = value < 0;
  const auto magnitude = static_cast<uint32_t>(negative ? -int32_t{value} : int32_t{value});
  const uint32_t token = R32TokenOf(magnitude);
  return {token, R32RawBits(token), (magnitude - R32Base(token)) << 1 | (negative ? 1u : 0u)};
}

constexpr int16_t R32JoinValue(uint32_t token, uint32_t raw) {
  const uint32_t magnitude = R32Base(token) + (raw >> 1);
  return static_cast<int16_t>((raw & 1) != 0 ? 0 - magnitude : magnitude);
}

}  // namespace
}  // namespace freqstore

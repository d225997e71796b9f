// What the vector implementations of bp32 share: walking over groups, and what to do at the ends of buffers.
// Private to storage/codec, included by bp32_avx2.cc and bp32_avx512.cc only.
//
// Everything is in an unnamed namespace on purpose: each of those files needs a copy of its own, compiled for
// its own CPU (bp32_implementations.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace freqstore {
namespace {

constexpr size_t kGroupValues = 32;

/// A group is unpacked from a window of as many bytes, though its own may be fewer.
constexpr size_t kGroupWindowBytes = 64;

inline unsigned WidthOf(const uint8_t* widths, size_t group) {
  const unsigned nibble = (widths[group / 2] >> (group % 2 * 4)) & 15u;
  return nibble == 15 ? 16 : nibble;
}

inline unsigned CountOf(const uint8_t* counts, size_t group) {
  return (counts[group / 4] >> (group % 4 * 2)) & 3u;
}

/// The sum of `groups` counts; those behind them in the last byte are not looked at.
inline size_t SumOfCounts(const uint8_t* counts, size_t groups) {
  constexpr uint64_t kLowBits = 0x5555555555555555;
  const auto sum_of = [&](uint64_t fields) {
    return static_cast<size_t>(__builtin_popcountll(fields & kLowBits) +
                               2 * __builtin_popcountll(fields & ~kLowBits));
  };
  constexpr size_t kFields = 32;
  size_t sum = 0;
  size_t group = 0;
  for (; group + kFields <= groups; group += kFields) {
    uint64_t fields;
    std::memcpy(&fields, counts + group / 4, sizeof(fields));
    sum += sum_of(fields);
  }
  if (group == groups) return sum;
  uint64_t fields = 0;
  std::memcpy(&fields, counts + group / 4, (groups - group + 3) / 4);
  return sum + sum_of(fields & ((uint64_t{1} << (2 * (groups - group))) - 1));
}

/// Calls `visit(group, pointer to its 32 values)` for each group; the last one is padded with zeros.
template <typename Visit>
inline void ForEachGroup(const int16_t* values, size_t count, Visit visit) {
  const size_t whole = count / kGroupValues;
  for (size_t group = 0; group < whole; ++group) visit(group, values + group * kGroupValues);
  if (count % kGroupValues != 0) {
    int16_t last[kGroupValues] = {};
    std::memcpy(last, values + whole * kGroupValues, (count % kGroupValues) * sizeof(int16_t));
    visit(whole, last);
  }
}

/// Unpacks a run with `unpack_group(packed, width, values)`, which reads a whole window and writes 32 values:
/// groups whose window ends within the packed data from there, the others from a copy.
template <typename Value, typename UnpackGroup>
inline void UnpackGroups(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
                         Value* values, UnpackGroup unpack_group) {
  const uint8_t* const end = packed + packed_bytes;
  const size_t whole = count / kGroupValues;
  size_t group = 0;
  for (; group < whole && static_cast<size_t>(end - packed) >= kGroupWindowBytes; ++group) {
    const unsigned width = WidthOf(widths, group);
    unpack_group(packed, width, values + group * kGroupValues);
    packed += width * kGroupValues / 8;
  }
  if (group * kGroupValues == count) return;

  // Less than a window is left, or just the last group, which is a window at the most.
  uint8_t tail[2 * kGroupWindowBytes] = {};
  std::memcpy(tail, packed, static_cast<size_t>(end - packed));
  packed = tail;
  for (; group < whole; ++group) {
    const unsigned width = WidthOf(widths, group);
    unpack_group(packed, width, values + group * kGroupValues);
    packed += width * kGroupValues / 8;
  }
  if (count % kGroupValues != 0) {
    Value last[kGroupValues];
    unpack_group(packed, WidthOf(widths, whole), last);
    std::memcpy(values + whole * kGroupValues, last, (count % kGroupValues) * sizeof(Value));
  }
}

}  // namespace
}  // namespace freqstore

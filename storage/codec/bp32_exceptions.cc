#include "storage/codec/bp32_exceptions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "storage/codec/bp32_kernels.h"

namespace freqstore {
namespace {

constexpr size_t kGroupsAtOnce = 32;  // the counts in 64 bits
constexpr uint64_t kLowBits = 0x5555555555555555;
constexpr size_t kExcesses = size_t{1} << kBp32ExcessBits;
constexpr size_t kNibbles = 16;

/// What an excess changes in a value whose low bits are there already: bits to flip, by nibble and excess.
/// The sign of a zigzag code is its lowest bit, so that a width of 0 is a case of its own.
constexpr int Flip(size_t nibble, size_t excess) {
  if (nibble == 0) return static_cast<int>(excess >> 1) ^ -static_cast<int>(excess & 1);
  return nibble == 15 ? 0 : static_cast<int>(excess << (nibble - 1));  // nothing is above 16 bits
}

/// An element is what to flip in a value; of int8, above it, kLost if that is more than it has.
using FlipTable = std::array<uint16_t, kNibbles * kExcesses>;
constexpr uint16_t kLost = 0x100;

template <typename Value>
constexpr FlipTable kFlips = [] {
  FlipTable flips{};
  for (size_t i = 0; i < flips.size(); ++i) {
    const int flip = Flip(i / kExcesses, i % kExcesses);
    if (sizeof(Value) == sizeof(int16_t)) {
      flips[i] = static_cast<uint16_t>(flip);
    } else {
      flips[i] =
          static_cast<uint16_t>(static_cast<uint8_t>(flip) | (flip == static_cast<int8_t>(flip) ? 0 : kLost));
    }
  }
  return flips;
}();

unsigned NibbleOf(const uint8_t* widths, size_t group) {
  return (widths[group / 2] >> (group % 2 * 4)) & 15u;
}

unsigned CountOf(const uint8_t* counts, size_t group) {
  return (counts[group / 4] >> (group % 4 * 2)) & 3u;
}

// Two steps, both without branches that depend on how many exceptions a group has, which nothing can predict:
// each exception gets its group's tag (the place of the first value in the low 16 bits, the row of the table
// in the high ones), then all are applied.
template <typename Value>
bool Apply(const uint8_t* widths, const uint8_t* counts, Bytes exceptions, std::span<Value> values) {
  const size_t groups = (values.size() + kBp32GroupValues - 1) / kBp32GroupValues;
  const uint8_t* next = exceptions.data();
  unsigned flipped = 0;
  for (size_t first = 0; first < groups; first += kGroupsAtOnce) {
    uint64_t fields = 0;
    if (groups - first >= kGroupsAtOnce) {
      std::memcpy(&fields, counts + first / 4, sizeof(fields));
    } else {
      std::memcpy(&fields, counts + first / 4, (groups - first + 3) / 4);
    }
    uint32_t tags[kGroupsAtOnce * kBp32ExceptionsMax + 1];
    size_t tagged = 0;
    for (uint64_t some = (fields | fields >> 1) & kLowBits; some != 0; some &= some - 1) {
      const auto field = static_cast<unsigned>(std::countr_zero(some));
      const uint32_t first_value = field / 2 * kBp32GroupValues;
      const uint32_t row = NibbleOf(widths, first + field / 2) * kExcesses;
      const uint32_t tag = first_value | row << 16;
      const uint32_t copies[] = {tag, tag, tag, tag};
      std::memcpy(tags + tagged, copies, sizeof(copies));
      tagged += fields >> field & 3;
    }
    Value* const of_groups = values.data() + first * kBp32GroupValues;
    for (size_t i = 0; i < tagged; ++i) {
      const uint32_t tag = tags[i];
      const unsigned flip = kFlips<Value>[(tag >> 16) + next[i] / kBp32GroupValues];
      of_groups[(tag & 0xffff) + next[i] % kBp32GroupValues] ^= static_cast<Value>(flip);
      flipped |= flip;
    }
    next += tagged;
  }
  return sizeof(Value) != sizeof(int8_t) || (flipped & kLost) == 0;
}

/// Whether the exceptions of the last group are among its values, which may be fewer than 32.
bool LastGroupIsInPlace(const uint8_t* counts, Bytes exceptions, size_t values) {
  const size_t places = values % kBp32GroupValues;
  if (places == 0) return true;
  const size_t last = values / kBp32GroupValues;
  const size_t count = CountOf(counts, last);
  return std::ranges::all_of(exceptions.last(count),
                             [&](uint8_t exception) { return exception % kBp32GroupValues < places; });
}

}  // namespace

bool ApplyBp32Exceptions(const uint8_t* widths, const uint8_t* counts, Bytes exceptions,
                         std::span<int16_t> values) {
  return LastGroupIsInPlace(counts, exceptions, values.size()) && Apply(widths, counts, exceptions, values);
}

bool ApplyBp32Exceptions(const uint8_t* widths, const uint8_t* counts, Bytes exceptions,
                         std::span<int8_t> values) {
  return LastGroupIsInPlace(counts, exceptions, values.size()) && Apply(widths, counts, exceptions, values);
}

}  // namespace freqstore

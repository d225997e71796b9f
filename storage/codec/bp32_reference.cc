#include <algorithm>
#include <bit>
#include <span>

#include "storage/codec/bp32_implementations.h"
#include "storage/codec/bp32_kernels.h"

namespace freqstore::bp32_reference {
namespace {

constexpr size_t BytesOfWidth(unsigned width) {
  return width * kBp32GroupValues / 8;
}

uint16_t ZigzagCode(int16_t value) {
  return static_cast<uint16_t>((value << 1) ^ (value >> 15));
}

int16_t ZigzagValue(uint16_t code) {
  return static_cast<int16_t>((code >> 1) ^ -(code & 1));
}

unsigned WidthOf(const uint8_t* widths, size_t group) {
  const unsigned nibble = (widths[group / 2] >> (group % 2 * 4)) & 15u;
  return nibble == 15 ? 16 : nibble;
}

struct GroupChoice {
  unsigned width;
  unsigned exceptions;
};

/// The width that takes the least, if an exception takes two bytes, and two more are taken where there are
/// any: that is for the time to apply them. Of equals, the greatest.
GroupChoice Choose(std::span<const int16_t> values) {
  unsigned all = 0;
  for (int16_t value : values) all |= ZigzagCode(value);
  const auto bits = static_cast<unsigned>(std::bit_width(all));
  GroupChoice best{.width = bits == 15 ? 16 : bits, .exceptions = 0};
  const auto cost = [](const GroupChoice& choice) {
    return 4 * choice.width + (choice.exceptions > 0 ? 2 + 2 * choice.exceptions : 0);
  };
  for (unsigned excess_bits = 1; excess_bits <= std::min(kBp32ExcessBits, bits); ++excess_bits) {
    const unsigned width = bits - excess_bits;
    const auto exceptions = static_cast<unsigned>(
        std::ranges::count_if(values, [&](int16_t value) { return ZigzagCode(value) >> width != 0; }));
    if (exceptions > kBp32ExceptionsMax) break;
    const GroupChoice choice{.width = width, .exceptions = exceptions};
    if (width != 15 && cost(choice) < cost(best)) best = choice;
  }
  return best;
}

template <typename Value>
void UnpackValues(const uint8_t* widths, const uint8_t* packed, size_t count, Value* values) {
  uint64_t pending = 0;
  unsigned pending_bits = 0;
  for (size_t group = 0; group * kBp32GroupValues < count; ++group) {
    const unsigned width = WidthOf(widths, group);
    for (size_t i = group * kBp32GroupValues; i < (group + 1) * kBp32GroupValues; ++i) {
      for (; pending_bits < width; pending_bits += 8) pending |= uint64_t{*packed++} << pending_bits;
      const auto code = static_cast<uint16_t>(pending & ((uint64_t{1} << width) - 1));
      pending >>= width;
      pending_bits -= width;
      if (i < count) values[i] = static_cast<Value>(ZigzagValue(code));
    }
  }
}

}  // namespace

Bp32Lengths Measure(const int16_t* values, size_t count, uint8_t* widths, uint8_t* counts) {
  Bp32Lengths lengths;
  for (size_t group = 0; group * kBp32GroupValues < count; ++group) {
    const size_t begin = group * kBp32GroupValues;
    const GroupChoice choice = Choose({values + begin, std::min(count - begin, kBp32GroupValues)});
    const unsigned nibble = choice.width == 16 ? 15 : choice.width;
    if (group % 2 == 0) widths[group / 2] = 0;
    if (group % 4 == 0) counts[group / 4] = 0;
    widths[group / 2] = static_cast<uint8_t>(widths[group / 2] | nibble << (group % 2 * 4));
    counts[group / 4] = static_cast<uint8_t>(counts[group / 4] | choice.exceptions << (group % 4 * 2));
    lengths.packed_bytes += BytesOfWidth(choice.width);
    lengths.exceptions += choice.exceptions;
  }
  return lengths;
}

void Pack(const int16_t* values, size_t count, const uint8_t* widths, const uint8_t*, uint8_t* packed,
          uint8_t* exceptions) {
  uint64_t pending = 0;
  unsigned pending_bits = 0;  // a group's bits are whole bytes: none is left over at its end
  for (size_t group = 0; group * kBp32GroupValues < count; ++group) {
    const unsigned width = WidthOf(widths, group);
    for (size_t i = group * kBp32GroupValues; i < (group + 1) * kBp32GroupValues; ++i) {
      const unsigned code = i < count ? ZigzagCode(values[i]) : 0;
      const unsigned excess = code >> width;
      if (excess != 0) *exceptions++ = static_cast<uint8_t>(i % kBp32GroupValues + excess * kBp32GroupValues);
      pending |= uint64_t{code & ((1u << width) - 1)} << pending_bits;
      pending_bits += width;
      for (; pending_bits >= 8; pending_bits -= 8) {
        *packed++ = static_cast<uint8_t>(pending);
        pending >>= 8;
      }
    }
  }
}

Bp32Lengths Lengths(const uint8_t* widths, const uint8_t* counts, size_t groups) {
  Bp32Lengths lengths;
  for (size_t group = 0; group < groups; ++group) {
    lengths.packed_bytes += BytesOfWidth(WidthOf(widths, group));
    lengths.exceptions += (counts[group / 4] >> (group % 4 * 2)) & 3u;
  }
  return lengths;
}

void Unpack(const uint8_t* widths, const uint8_t* packed, size_t, size_t count, int16_t* values) {
  UnpackValues(widths, packed, count, values);
}

void UnpackNarrow(const uint8_t* widths, const uint8_t* packed, size_t, size_t count, int8_t* values) {
  UnpackValues(widths, packed, count, values);
}

unsigned WidthMax(const uint8_t* widths, size_t groups) {
  unsigned max = 0;
  for (size_t group = 0; group < groups; ++group) max = std::max(max, WidthOf(widths, group));
  return max;
}

void UndoPrediction(int16_t* values, size_t width_blocks, size_t height_blocks) {
  uint16_t above = 0;
  for (size_t y = 0; y < height_blocks; ++y) {
    int16_t* row = values + y * width_blocks;
    uint16_t value = above;
    for (size_t x = 0; x < width_blocks; ++x) {
      value = static_cast<uint16_t>(value + static_cast<uint16_t>(row[x]));
      row[x] = static_cast<int16_t>(value);
    }
    above = static_cast<uint16_t>(row[0]);
  }
}

}  // namespace freqstore::bp32_reference

#include <algorithm>
#include <bit>

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

size_t Measure(const int16_t* values, size_t count, uint8_t* widths) {
  size_t packed_bytes = 0;
  for (size_t group = 0; group * kBp32GroupValues < count; ++group) {
    const size_t end = std::min(count, (group + 1) * kBp32GroupValues);
    unsigned codes = 0;
    for (size_t i = group * kBp32GroupValues; i < end; ++i) codes |= ZigzagCode(values[i]);
    const unsigned bits = static_cast<unsigned>(std::bit_width(codes));
    const unsigned nibble = std::min(bits, 15u);
    if (group % 2 == 0) {
      widths[group / 2] = static_cast<uint8_t>(nibble);
    } else {
      widths[group / 2] = static_cast<uint8_t>(widths[group / 2] | (nibble << 4));
    }
    packed_bytes += BytesOfWidth(nibble == 15 ? 16 : nibble);
  }
  return packed_bytes;
}

void Pack(const int16_t* values, size_t count, const uint8_t* widths, uint8_t* packed) {
  uint64_t pending = 0;
  unsigned pending_bits = 0;  // a group's bits are whole bytes: none is left over at its end
  for (size_t group = 0; group * kBp32GroupValues < count; ++group) {
    const unsigned width = WidthOf(widths, group);
    for (size_t i = group * kBp32GroupValues; i < (group + 1) * kBp32GroupValues; ++i) {
      const uint64_t code = i < count ? ZigzagCode(values[i]) : 0;
      pending |= code << pending_bits;
      pending_bits += width;
      for (; pending_bits >= 8; pending_bits -= 8) {
        *packed++ = static_cast<uint8_t>(pending);
        pending >>= 8;
      }
    }
  }
}

size_t PackedBytes(const uint8_t* widths, size_t groups) {
  size_t bytes = 0;
  for (size_t group = 0; group < groups; ++group) bytes += BytesOfWidth(WidthOf(widths, group));
  return bytes;
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

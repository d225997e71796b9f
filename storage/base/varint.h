// Numbers of variable length: 7 bits a byte, lowest first, the top bit set in all but the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "storage/base/coding.h"

namespace freqstore {

inline constexpr size_t kVarintBytesMax = 9;

/// `value` is below 2^63.
inline void AppendVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>((value & 0x7f) | 0x80));
  out.push_back(static_cast<char>(value));
}

/// nullopt if the bytes end early or there are more than `bytes_max`, which is kVarintBytesMax at the most.
inline std::optional<uint64_t> ReadVarint(ByteReader& reader, size_t bytes_max = kVarintBytesMax) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes_max; ++i) {
    const std::optional<uint8_t> byte = reader.ReadLittleEndian<uint8_t>();
    if (!byte) return std::nullopt;
    value |= uint64_t{*byte & 0x7fu} << (7 * i);
    if ((*byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

}  // namespace freqstore

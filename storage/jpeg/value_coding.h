// How a coefficient becomes a symbol and bits behind it (ITU-T T.81, F.1.2). Private to storage/jpeg.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/jpeg/huffman_table.h"

namespace freqstore {

inline constexpr int kZeroRun = 16;
inline constexpr size_t kZeroRunPlace = SymbolPlace(kZeroRun - 1, 0);
inline constexpr size_t kEndOfBlockPlace = SymbolPlace(0, 0);

/// A value as its category (the number of bits of its magnitude) and the bits that tell it in there.
struct CodedValue {
  int category;
  uint32_t bits;
};

inline CodedValue CodeNonzero(int value) {
  const int sign = value >> 31;
  const int category = 32 - __builtin_clz(static_cast<unsigned>((value ^ sign) - sign));
  return {category, static_cast<uint32_t>(value + sign) & ((1u << category) - 1)};
}

inline CodedValue CodeValue(int value) {
  return value == 0 ? CodedValue{0, 0} : CodeNonzero(value);
}

}  // namespace freqstore

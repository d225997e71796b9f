// Packed pixels to interleaved bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// Writes `count` pixels of 4 bytes (R, G, B, unused; any type of that size) as 3 bytes each. Every store but
/// the last is four bytes wide and its fourth is overwritten by the next. Little-endian.
template <typename Packed>
FREQSTORE_HD void StorePackedRgb(const Packed* pixels, size_t count, uint8_t* out) {
  static_assert(sizeof(Packed) == 4);
  for (size_t i = 0; i + 1 < count; ++i) std::memcpy(out + 3 * i, pixels + i, 4);
  if (count > 0) std::memcpy(out + 3 * (count - 1), pixels + (count - 1), 3);
}

}  // namespace freqstore

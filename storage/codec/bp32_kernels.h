// The inner loops of bp32, over one run: one image's values of one column.
//
// A run of n values has ceil(n / 32) groups; the last is padded with zeros. Its bytes are
//   widths   one nibble a group, low nibble first, ceil(groups / 2) bytes; a spare nibble is 0
//   packed   the groups one after the other: 32 values of w bits, least significant bit first, are 4 * w
//   bytes
// A value v is packed as its zigzag code (v << 1) ^ (v >> 15), in 16 bits. The nibble is w, except that 15
// stands for 16; no group has a w of 15.
//
// bp32_reference.cc is the plain meaning of all this; the other implementations give the same bytes and
// values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/base/cpu_features.h"

namespace freqstore {

inline constexpr size_t kBp32GroupValues = 32;

/// Codes of as many bits are of values that fit int8.
inline constexpr unsigned kBp32NarrowWidth = 8;

/// pack() may write as many bytes beyond the packed data.
inline constexpr size_t kBp32PackSlack = 16;

struct Bp32Kernels {
  /// Writes the widths of `values` and returns the length of their packed data.
  size_t (*measure)(const int16_t* values, size_t count, uint8_t* widths);

  /// Writes the packed data for widths that measure() gave.
  void (*pack)(const int16_t* values, size_t count, const uint8_t* widths, uint8_t* packed);

  /// The length of the packed data that `groups` nibbles promise.
  size_t (*packed_bytes)(const uint8_t* widths, size_t groups);

  /// Reads `count` values out of `packed`, whose length `packed_bytes` is what `widths` promise.
  void (*unpack)(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
                 int16_t* values);

  /// The same for a run whose widths are kBp32NarrowWidth at the most.
  void (*unpack_narrow)(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
                        int8_t* values);

  /// The greatest of `groups` widths.
  unsigned (*width_max)(const uint8_t* widths, size_t groups);

  /// Undoes the prediction of DC in place: `values` holds residuals of a grid, in raster order (FORMAT.md,
  /// "DC").
  void (*undo_prediction)(int16_t* values, size_t width_blocks, size_t height_blocks);
};

/// The kernels of a level that this machine supports; kScalar is the reference. They live for ever.
const Bp32Kernels& GetBp32Kernels(SimdLevel level);

}  // namespace freqstore

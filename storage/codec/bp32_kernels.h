// The inner loops of bp32, over one run: one image's values of one column.
//
// A run of n values has ceil(n / 32) groups; the last is padded with zeros. Its bytes are
//   widths      one nibble a group, low nibble first, ceil(groups / 2) bytes; a spare nibble is 0
//   counts      of a group's exceptions, 0..3, 2 bits a group, low bits first, ceil(groups / 4) bytes; spare
//               bits are 0
//   packed      the groups one after the other: 32 codes of w bits, least significant bit first, are 4 * w
//               bytes
//   exceptions  a byte each, group by group: place in the group + 32 * excess
// The code of a value v is its zigzag code (v << 1) ^ (v >> 15), in 16 bits. Codes that do not fit w bits are
// exceptions: what is above w bits of them is the excess. The nibble is w, except that 15 stands for 16; no
// group has a w of 15. (Patched frame of reference: M. Zukowski et al., "Super-scalar RAM-CPU cache
// compression", ICDE 2006.)
//
// bp32_reference.cc is the plain meaning of all this; the other implementations give the same bytes and
// values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/base/cpu_features.h"

namespace freqstore {

inline constexpr size_t kBp32GroupValues = 32;

/// Of a group.
inline constexpr unsigned kBp32ExceptionsMax = 3;
inline constexpr unsigned kBp32ExcessBits = 3;

/// Codes of as many bits are of values that fit int8.
inline constexpr unsigned kBp32NarrowWidth = 8;

/// pack() may write as many bytes beyond the packed data.
inline constexpr size_t kBp32PackSlack = 16;

/// Lengths of the last two parts of a run.
struct Bp32Lengths {
  size_t packed_bytes = 0;
  size_t exceptions = 0;
  friend bool operator==(const Bp32Lengths&, const Bp32Lengths&) = default;
};

struct Bp32Kernels {
  /// Chooses widths and counts for `values`.
  Bp32Lengths (*measure)(const int16_t* values, size_t count, uint8_t* widths, uint8_t* counts);

  /// Writes the packed data and the exceptions for widths and counts that measure() chose.
  void (*pack)(const int16_t* values, size_t count, const uint8_t* widths, const uint8_t* counts,
               uint8_t* packed, uint8_t* exceptions);

  /// What the widths and counts of `groups` groups promise.
  Bp32Lengths (*lengths)(const uint8_t* widths, const uint8_t* counts, size_t groups);

  /// Reads `count` values out of `packed`, whose length `packed_bytes` is what `widths` promise, as if there
  /// were no exceptions.
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

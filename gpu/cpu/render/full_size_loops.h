// The hot loops of full-size images (8-bit arithmetic), compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// A row of blocks for the ISLOW inverse transform. Arrays are in natural order, 8 * v + u.
struct IslowBlockRow {
  const int16_t* coefficients[64];  ///< of `blocks` values each; null where all are zero
  int32_t quant[64];
  size_t blocks;
  uint8_t* out;  ///< 8 rows of 8 * blocks samples
  size_t out_stride;
};

/// A row of pixels; planes of `count` bytes. Grayscale has planes[0] only.
struct PixelRow {
  const uint8_t* planes[3];
  size_t count;
  ColorModel color;
  uint8_t* rgb;  ///< 3 * count bytes
};

/// Nothing needs to be aligned. `in`, `near` and `far` have `count` samples, at least 2.
struct FullSizeLoops {
  void (*islow)(const IslowBlockRow& row);
  void (*upsample_h2v1)(const uint8_t* in, size_t count, uint8_t* out);
  void (*upsample_h1v2)(const uint8_t* near, const uint8_t* far, bool lower, size_t count, uint8_t* out);
  void (*upsample_h2v2)(const uint8_t* near, const uint8_t* far, size_t count, uint8_t* out);
  void (*convert)(const PixelRow& row);
};

/// The loops of `level`, which the machine must have.
const FullSizeLoops& FullSizeLoopsFor(SimdLevel level);

extern const FullSizeLoops kScalarFullSizeLoops;
extern const FullSizeLoops kAvx2FullSizeLoops;
extern const FullSizeLoops kAvx512FullSizeLoops;

}  // namespace freqstore

// The hot loops of full-size images (8-bit arithmetic), compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/cpu/render/word_frequency.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// The loops work in vectors: where they are said to round up, what lies between `count` and the next
/// multiple of this many is read and written too.
inline constexpr size_t kFullSizeBlocks = 32;
inline constexpr size_t kFullSizeSamples = 64;

/// A row of blocks for the ISLOW inverse transform.
struct IslowBlockRow {
  const WordFrequency* frequencies;  ///< 64, in natural order, 8 * v + u, bounded by kIslowInputMax
  size_t first_block;                ///< of the planes
  size_t blocks;                     ///< rounded up to kFullSizeBlocks
  uint8_t* out;                      ///< 8 rows of 8 * blocks samples
  size_t out_stride;
};

/// A row of pixels; planes of `count` bytes, of which kFullSizeSamples more may be read.
struct PixelRow {
  const uint8_t* planes[kComponentsMax];  ///< those of the colour model
  size_t count;
  ColorModel color;
  uint8_t* rgb;  ///< 3 * count bytes
  size_t room;   ///< bytes from `rgb` on that may be written over, at least 3 * count
};

/// Nothing needs to be aligned. Upsampling reads `count` samples and those before and behind, where a row of
/// samples repeats its first and last; it rounds `count` up to kFullSizeSamples.
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

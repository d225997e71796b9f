// The hot loops of images reduced to k/8, compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/cpu/render/coefficient_row.h"
#include "gpu/kernels/host_device.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// The loops work in vectors: where they are said to round up, what lies between a count and the next
/// multiple of this many is read and written too.
inline constexpr size_t kReducedBlocks = 16;
inline constexpr size_t kReducedPixels = 64;

/// What a transform of `points` multiplies with: for each sample of the first half of a block (with the
/// middle one, if there is one) the cosine basis of the frequencies below `points`. The other half is its
/// mirror image. Weights of the vertical pass are multiplied by the quantiser steps, and so for each u.
FREQSTORE_HD constexpr size_t ReducedWeights(size_t points) {
  return (points + 1) / 2 * points;
}
const float* ReducedBasis(size_t points);

/// A row of blocks for the inverse transform of few points: each block becomes points_x by points_y samples
/// centred on 0, of its frequencies below points_x and points_y. Points are 1..8.
struct ReducedBlockRow {
  const CoefficientRow* frequencies;  ///< 64 whole planes, in natural order, 8 * v + u
  size_t points_x;
  size_t points_y;
  const float* weights_x;
  const float* weights_y;  ///< ReducedWeights(points_y) for each u below points_x
  size_t first_block;      ///< of the planes
  size_t blocks;           ///< rounded up to kReducedBlocks
  float* out;              ///< points_y rows of points_x * blocks samples
  size_t out_stride;
};

/// A row of pixels; planes of `count` values centred on 0, of which kReducedPixels more may be read.
/// Grayscale has planes[0] only.
struct ReducedPixelRow {
  const float* planes[3];
  size_t count;
  ColorModel color;
  uint8_t* rgb;  ///< 3 * count bytes
  size_t room;   ///< bytes from `rgb` on that may be written over, at least 3 * count
};

/// Nothing needs to be aligned.
struct ReducedLoops {
  void (*transform)(const ReducedBlockRow& row);
  /// Converts the colour, rounds half up and clamps.
  void (*convert)(const ReducedPixelRow& row);
};

/// The loops of `level`, which the machine must have.
const ReducedLoops& ReducedLoopsFor(SimdLevel level);

extern const ReducedLoops kScalarReducedLoops;
extern const ReducedLoops kAvx2ReducedLoops;
extern const ReducedLoops kAvx512ReducedLoops;

}  // namespace freqstore

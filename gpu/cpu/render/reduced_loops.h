// The hot loop of images reduced to k/8, compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/cpu/render/word_frequency.h"
#include "storage/base/cpu_features.h"

namespace freqstore {

/// The loop works in vectors: what lies between the number of blocks and the next multiple of this many is
/// read and written too.
inline constexpr size_t kReducedBlocks = 32;

/// Some blocks, one after the other, for the inverse transform of few points
/// (gpu/kernels/reduced_transform.h): each becomes points_x by points_y samples, of its frequencies below
/// points_x and points_y. Points are 1..8.
struct ReducedBlocks {
  const WordFrequency* frequencies;  ///< 64, in natural order, 8 * v + u, bounded by kReducedInputMax
  size_t points_x;
  size_t points_y;
  size_t first_block;  ///< of the planes
  size_t blocks;       ///< rounded up to kReducedBlocks
  uint8_t* out;        ///< points_y rows of points_x * blocks samples; not aligned
  size_t out_stride;
};

struct ReducedLoops {
  void (*transform)(const ReducedBlocks& blocks);
};

/// The loops of `level`, which the machine must have.
const ReducedLoops& ReducedLoopsFor(SimdLevel level);

extern const ReducedLoops kScalarReducedLoops;
extern const ReducedLoops kAvx2ReducedLoops;
extern const ReducedLoops kAvx512ReducedLoops;

}  // namespace freqstore

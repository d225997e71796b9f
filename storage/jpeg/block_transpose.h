// From libjpeg's blocks to planes and back: the transpose that makes coefficients columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/base/dct.h"

namespace freqstore {

/// The coefficients of a block in zigzag order.
using CoefficientBlock = std::array<int16_t, kFrequencies>;

/// Where the value of each coefficient of the first block goes, by natural (row-major) index.
using PlanePointers = std::array<int16_t*, kFrequencies>;

/// Writes coefficient i of block b of `blocks` to `planes[i][b]`, for i in 0..63 and b in 0..count-1.
void TransposeBlocks(const int16_t (*blocks)[kFrequencies], size_t count, const PlanePointers& planes);

/// The same, plainly.
void TransposeBlocksReference(const int16_t (*blocks)[kFrequencies], size_t count,
                              const PlanePointers& planes);

/// Blocks that are gathered at a time: their count is rounded up to a multiple of it.
inline constexpr size_t kGatherBlocks = 8;

/// Writes the coefficients of zigzag indices 8 * group to 8 * group + 7 of blocks [first, first + count) of
/// `planes`, which has all of them, to `blocks[b][z]`, b from 0. `blocks` has room for
/// `count` rounded up to kGatherBlocks; those beyond `count` are unspecified afterwards. `level` must be
/// supported by this machine.
void GatherBlocks(const CoefficientPlanes& planes, size_t first, size_t count, int group,
                  CoefficientBlock* blocks, SimdLevel level);

/// The same, plainly.
void GatherBlocksReference(const CoefficientPlanes& planes, size_t first, size_t count, int group,
                           CoefficientBlock* blocks);

/// Where a block has values: a bit a zigzag index.
struct BlockMasks {
  uint64_t nonzero = 0;  ///< |value| >> shift is not 0
  uint64_t one = 0;      ///< |value| >> shift is 1
};
BlockMasks MasksOf(const CoefficientBlock& block, int shift);
BlockMasks MasksOfReference(const CoefficientBlock& block, int shift);

}  // namespace freqstore

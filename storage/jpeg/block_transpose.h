// From libjpeg's blocks to planes: the transpose that makes coefficients columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "storage/base/dct.h"

namespace freqstore {

/// Where the value of each coefficient of the first block goes, by natural (row-major) index.
using PlanePointers = std::array<int16_t*, kFrequencies>;

/// Writes coefficient i of block b of `blocks` to `planes[i][b]`, for i in 0..63 and b in 0..count-1.
void TransposeBlocks(const int16_t (*blocks)[kFrequencies], size_t count, const PlanePointers& planes);

/// The same, plainly.
void TransposeBlocksReference(const int16_t (*blocks)[kFrequencies], size_t count,
                              const PlanePointers& planes);

}  // namespace freqstore

// GatherBlocks with AVX-512. Private to storage/jpeg.
#pragma once

#include <cstddef>
#include <cstdint>

namespace freqstore {

/// Writes value b of the 8 planes to `out + b * kFrequencies`, for b below `count` rounded up to
/// kGatherBlocks. Up to 31 values behind each plane are read.
void GatherWideAvx512(const int16_t* const (&planes)[8], size_t count, int16_t* out);

}  // namespace freqstore

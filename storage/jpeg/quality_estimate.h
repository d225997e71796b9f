// Guesses the quality setting that a file was saved with.
#pragma once

#include <array>
#include <cstdint>

#include "storage/base/dct.h"

namespace freqstore {

/// The libjpeg quality, 1..100, whose luma quantiser (ITU-T T.81, table K.1, scaled) is nearest to `quant`,
/// which is in zigzag order; 0 if none is near: their difference is more than an eighth of it, summed over
/// the steps.
uint8_t EstimateQuality(const std::array<uint16_t, kFrequencies>& quant);

}  // namespace freqstore

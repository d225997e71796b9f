// The inverse DCT of JPEG, one axis at a time.
#pragma once

#include <cmath>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// What a coefficient of 1 at `frequency` (0..7) adds at position `t` of a block that spans [0, 8).
///
/// The block's samples lie at t = 0.5, 1.5, ... 7.5; there this is ITU-T T.81's 8-point inverse transform.
/// Sampled at n points, t = (i + 0.5) * 8 / n, it is the n-point transform of a reduced image, at the same
/// brightness.
FREQSTORE_HD double CosineBasis(int frequency, double t) {
  constexpr double kPi = 3.14159265358979323846;
  constexpr double kDcGain = 0.35355339059327376220;  // 1 / sqrt(8)
  return frequency == 0 ? kDcGain : 0.5 * cos(kPi / 8 * t * frequency);
}

}  // namespace freqstore

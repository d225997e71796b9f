// Gains of the "match" weights: an image that is enlarged from fewer points than the model wants is made to
// look as sharp as one reduced from full size.
#pragma once

#include <cmath>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// Frequency response of a triangle of half width `support`, at `frequency` in cycles a sample.
FREQSTORE_HD double TriangleResponse(double frequency, double support) {
  constexpr double kPi = 3.14159265358979323846;
  const double x = kPi * frequency * support;
  if (x == 0) return 1;
  const double sinc = sin(x) / x;
  return sinc * sinc;
}

/// What coefficient `frequency` is multiplied by where a block becomes `points` samples instead of 8 and is
/// resized from there: the response of the resize from full size over that of the resize from the points,
/// within 0.3 to 1.6. `scale` is full-size samples an output pixel.
FREQSTORE_HD double MatchGain(int frequency, int points, double scale) {
  constexpr double kGainMin = 0.3;
  constexpr double kGainMax = 1.6;
  const double reduced_scale = scale * points / 8;
  const double full = TriangleResponse(frequency / 16.0, scale > 1 ? scale : 1);
  const double reduced = TriangleResponse(frequency / (2.0 * points), reduced_scale > 1 ? reduced_scale : 1);
  if (full <= kGainMin * reduced) return kGainMin;
  return full < kGainMax * reduced ? full / reduced : kGainMax;
}

}  // namespace freqstore

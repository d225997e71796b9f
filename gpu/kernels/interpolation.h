// Linear interpolation along an axis of a subsampled component.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// The two samples that a position lies between.
struct Interpolation {
  int64_t lower = 0;
  int64_t upper = 0;
  double upper_weight = 0;  ///< of `upper`; `lower` has the rest. 0 where the position is a sample's centre
};

/// Position `position` of an axis on which each of `samples` stands for `ratio` positions, centred in them.
/// For ratio 2 this is libjpeg's "fancy" upsampling (3/4 and 1/4); the outermost samples reach to the edges.
FREQSTORE_HD Interpolation Interpolate(int64_t position, double ratio, int64_t samples) {
  const double at = (static_cast<double>(position) + 0.5) / ratio - 0.5;
  const double below = floor(at);
  Interpolation between;
  between.lower = static_cast<int64_t>(below);
  between.upper_weight = at - below;
  between.upper = between.upper_weight > 0 ? between.lower + 1 : between.lower;
  if (between.lower < 0) between.lower = 0;
  if (between.upper < 0) between.upper = 0;
  if (between.lower >= samples) between.lower = samples - 1;
  if (between.upper >= samples) between.upper = samples - 1;
  return between;
}

}  // namespace freqstore

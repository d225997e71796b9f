// The resize filter: a triangle, widened when it reduces, so that it antialiases (Pillow's BILINEAR).
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// The samples that an output pixel is made of. Sample i of the source covers [i, i + 1), its centre is i +
/// 0.5.
struct TriangleWindow {
  double center = 0;   ///< of the output pixel, in source coordinates
  double support = 1;  ///< half width of the triangle: 1 where the resize enlarges, else the scale
  int64_t first = 0;   ///< samples [first, last) have a weight above 0; there is at least one
  int64_t last = 0;
};

/// The weight of a sample before the weights of a window are normalised to the sum 1.
FREQSTORE_HD double TriangleWeight(const TriangleWindow& window, int64_t sample) {
  const double distance = fabs(static_cast<double>(sample) + 0.5 - window.center) / window.support;
  return distance < 1 ? 1 - distance : 0;
}

/// The window of output pixel `pixel` of `resized`, for a source that extends over [0, extent) and has
/// `samples` = ceil(extent) samples. What the triangle covers beyond the samples is cut off.
FREQSTORE_HD TriangleWindow MakeTriangleWindow(double extent, int64_t samples, int64_t resized,
                                               int64_t pixel) {
  const double scale = extent / static_cast<double>(resized);
  TriangleWindow window;
  window.center = (static_cast<double>(pixel) + 0.5) * scale;
  window.support = scale > 1 ? scale : 1;
  window.first = static_cast<int64_t>(floor(window.center - window.support + 0.5));
  window.last = static_cast<int64_t>(floor(window.center + window.support + 0.5));
  if (window.first < 0) window.first = 0;
  if (window.last > samples) window.last = samples;
  while (window.last - window.first > 1 && TriangleWeight(window, window.first) <= 0) ++window.first;
  while (window.last - window.first > 1 && TriangleWeight(window, window.last - 1) <= 0) --window.last;
  return window;
}

}  // namespace freqstore

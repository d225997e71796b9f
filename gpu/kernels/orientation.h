// EXIF orientation: how the coded image lies in the displayed one.
#pragma once

#include <cstdint>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// A pixel (x, y) of the coded image is shown at the displayed (x', y') = (mirror_x ? width - 1 - x : x,
/// mirror_y ? height - 1 - y : y), swapped to (y', x') if `transposed`.
struct Orientation {
  bool mirror_x = false;
  bool mirror_y = false;
  bool transposed = false;
};

/// `exif` is 1..8; anything else counts as 1.
FREQSTORE_HD Orientation OrientationFromExif(int exif) {
  Orientation orientation;
  orientation.mirror_x = exif == 2 || exif == 3 || exif == 7 || exif == 8;
  orientation.mirror_y = exif == 3 || exif == 4 || exif == 6 || exif == 7;
  orientation.transposed = exif >= 5 && exif <= 8;
  return orientation;
}

struct PixelPosition {
  int64_t x = 0;
  int64_t y = 0;
};

/// Where the coded image of `width` x `height` holds the displayed pixel.
FREQSTORE_HD PixelPosition CodedPosition(const Orientation& orientation, int64_t width, int64_t height,
                                         PixelPosition displayed) {
  PixelPosition coded = displayed;
  if (orientation.transposed) coded = {displayed.y, displayed.x};
  if (orientation.mirror_x) coded.x = width - 1 - coded.x;
  if (orientation.mirror_y) coded.y = height - 1 - coded.y;
  return coded;
}

}  // namespace freqstore

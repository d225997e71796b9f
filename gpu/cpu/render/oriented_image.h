// From coded to displayed pixels.
#pragma once

#include "gpu/device/rgb_image.h"
#include "gpu/kernels/orientation.h"

namespace freqstore {

/// The displayed image of a coded one.
RgbImage Oriented(RgbImage coded, const Orientation& orientation);

}  // namespace freqstore

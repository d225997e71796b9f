// What rendering is held against from outside: libjpeg-turbo's own pixels, and a plain resize of pixels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/device/device.h"

namespace freqstore::testutil {

/// Decodes a file to RGB with the ISLOW transform and fancy upsampling; throws std::runtime_error on an
/// error. Of four components libjpeg-turbo makes CMYK, as stored; the inks are then multiplied
/// (gpu/kernels/color_model.h).
RgbImage DecodePixels(const std::string& file);

/// Interleaved RGB floats.
struct FloatImage {
  int width = 0;
  int height = 0;
  std::vector<double> pixels;
};

/// Antialiased triangle resize, as Pillow's BILINEAR but without its rounding to 8 bits.
FloatImage ResizeTriangle(const RgbImage& image, int width, int height);

/// The central part.
FloatImage CropCenter(const FloatImage& image, int width, int height);

struct Difference {
  double mean = 0;
  double max = 0;
};
Difference Compare(const RgbImage& a, const RgbImage& b);

}  // namespace freqstore::testutil

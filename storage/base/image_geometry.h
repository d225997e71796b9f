// What is needed, beside the coefficients, to turn an image into pixels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/base/dct.h"

namespace freqstore {

/// The colour space that the components are in. Values are stored: never renumber.
enum class ColorModel : uint8_t {
  kGrayscale = 1,
  kYCbCr = 2,  ///< ITU-T T.871 (JFIF): BT.601, full range
  kRgb = 3,
  kCmyk = 4,       ///< four: amounts of ink
  kAdobeCmyk = 5,  ///< four, with an Adobe marker: 255 less the amounts of ink
  kAdobeYcck = 6,  ///< four: 255 less the first three of kAdobeCmyk, read as (R, G, B), as YCbCr, and its K
};

/// How many components an image of the model has.
constexpr size_t ComponentCount(ColorModel color) {
  if (color == ColorModel::kGrayscale) return 1;
  return color == ColorModel::kYCbCr || color == ColorModel::kRgb ? 3 : 4;
}

/// Whether component `index` is a colour difference. All others count as luma.
constexpr bool IsChroma(ColorModel color, size_t index) {
  const bool has_differences = color == ColorModel::kYCbCr || color == ColorModel::kAdobeYcck;
  return has_differences && (index == 1 || index == 2);
}

struct ComponentGeometry {
  uint8_t h_samp = 1;  ///< sampling factors, 1..4
  uint8_t v_samp = 1;
  BlockGrid grid;  ///< ceil(ceil(width * h_samp / h_samp_max) / 8) by the same for the height
  std::array<uint16_t, kFrequencies> quant{};  ///< quantiser steps in zigzag order, each at least 1

  friend bool operator==(const ComponentGeometry&, const ComponentGeometry&) = default;
};

struct ImageGeometry {
  uint32_t width = 0;  ///< pixels, as coded: before the orientation is applied
  uint32_t height = 0;
  ColorModel color = ColorModel::kGrayscale;
  uint8_t orientation = 1;  ///< EXIF orientation, 1..8
  std::vector<ComponentGeometry> components;

  int h_samp_max() const {
    int samp = 1;
    for (const ComponentGeometry& component : components) samp = std::max<int>(samp, component.h_samp);
    return samp;
  }
  int v_samp_max() const {
    int samp = 1;
    for (const ComponentGeometry& component : components) samp = std::max<int>(samp, component.v_samp);
    return samp;
  }
  /// True if the orientation swaps width and height for display.
  bool transposed() const { return orientation >= 5; }

  friend bool operator==(const ImageGeometry&, const ImageGeometry&) = default;
};

/// The grid that follows from the size and the sampling factors of a geometry of up to 65535 x 65535 pixels.
inline BlockGrid ExpectedGrid(const ImageGeometry& geometry, const ComponentGeometry& component) {
  const auto blocks = [](uint32_t pixels, uint32_t samp, int samp_max) {
    const uint32_t pixels_a_block = static_cast<uint32_t>(kBlockSide * samp_max);
    return (pixels * samp + pixels_a_block - 1) / pixels_a_block;
  };
  return {blocks(geometry.width, component.h_samp, geometry.h_samp_max()),
          blocks(geometry.height, component.v_samp, geometry.v_samp_max())};
}

}  // namespace freqstore

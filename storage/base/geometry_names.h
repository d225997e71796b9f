// How people write colour models and sampling factors.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "storage/base/image_geometry.h"

namespace freqstore {

/// "grayscale", "ycbcr", "rgb", "cmyk", "adobe-cmyk", "adobe-ycck".
std::string ColorName(ColorModel color);

/// "4:2:0" and its like where the usual names apply, else the factors: "2x2,1x1,1x1".
std::string SamplingName(const ImageGeometry& geometry);
/// The same of factors as the catalog stores them, h * 16 + v.
std::string SamplingName(std::span<const uint32_t> factors);

}  // namespace freqstore

// Images for render tests: coefficients from a seed, in any layout.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device/render_spec.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/image_geometry.h"

namespace freqstore::testutil {

struct ImageSpec {
  uint32_t width = 16;
  uint32_t height = 16;
  ColorModel color = ColorModel::kYCbCr;
  std::vector<std::pair<int, int>> sampling{{1, 1}, {1, 1}, {1, 1}};  ///< h and v of each component
  uint8_t orientation = 1;
  uint32_t seed = 1;
  bool narrow = false;  ///< planes whose values fit are int8
};

std::string Describe(const ImageSpec& spec);

struct TestImage {
  ImageGeometry geometry;
  std::vector<CoefficientPlanes> components;  ///< all 64 frequencies
};

/// Coefficients fall off with frequency as a photo's do; now and then one is far too large, so that pixels
/// saturate.
TestImage MakeImage(const ImageSpec& spec);

/// The same values with those planes narrow that fit.
CoefficientPlanes Narrowed(const CoefficientPlanes& planes);

/// What is left of the components after a cut.
std::vector<CoefficientPlanes> Keep(const std::vector<CoefficientPlanes>& components, const ImageCut& cut);

/// The same cut for all components.
ImageCut UniformCut(int side, int diagonal = 14);

}  // namespace freqstore::testutil

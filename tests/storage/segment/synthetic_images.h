// Rows and coefficients made up from a seed: the same on every machine, for ever.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "storage/base/coefficient_planes.h"
#include "storage/segment/image_record.h"

namespace freqstore::testutil {

struct SyntheticImage {
  ImageRecord record;
  std::vector<CoefficientPlanes> components;
};

struct SyntheticSpec {
  uint32_t width = 8;
  uint32_t height = 8;
  ColorModel color = ColorModel::kYCbCr;
  std::vector<std::array<uint8_t, 2>> sampling = {{1, 1}, {1, 1}, {1, 1}};  ///< h and v of each component
  uint64_t seed = 1;
};

/// Large values at low frequencies, mostly zero at high ones, and every extreme of int16 somewhere.
SyntheticImage MakeSyntheticImage(const SyntheticSpec& spec);

/// Images of odd sizes and samplings: 4:2:0, 4:4:4, grayscale, RGB, 3:1 by 2:3, and luma smaller than chroma.
std::vector<SyntheticImage> MakeOddImages();

}  // namespace freqstore::testutil

// What JpegReader is held against: libjpeg-turbo's coefficients, read block by block without any of the
// reader's code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace freqstore::testutil {

struct PlainComponent {
  uint32_t width_blocks = 0;
  uint32_t height_blocks = 0;
  std::vector<uint16_t> quant;               ///< natural order; empty if the component was in no scan
  std::vector<std::vector<int16_t>> blocks;  ///< in raster order, 64 coefficients each in natural order
};

struct PlainImage {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<PlainComponent> components;
};

/// Decodes a file that libjpeg-turbo accepts; throws std::runtime_error with its message otherwise.
PlainImage DecodePlainly(const std::string& file);

}  // namespace freqstore::testutil

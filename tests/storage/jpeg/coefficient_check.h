// Compares what JpegReader read with what the plain decoder did.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "storage/jpeg/jpeg_reader.h"
#include "tests/storage/jpeg/plain_decoder.h"

namespace freqstore::testutil {

inline void RequireSameCoefficients(const JpegImage& image, const PlainImage& expected) {
  REQUIRE(image.geometry.width == expected.width);
  REQUIRE(image.geometry.height == expected.height);
  REQUIRE(image.components.size() == expected.components.size());
  REQUIRE(image.geometry.components.size() == expected.components.size());
  for (size_t c = 0; c < expected.components.size(); ++c) {
    const PlainComponent& plain = expected.components[c];
    const CoefficientPlanes& planes = image.components[c];
    REQUIRE(planes.grid() == BlockGrid{plain.width_blocks, plain.height_blocks});
    REQUIRE(planes.grid() == image.geometry.components[c].grid);
    REQUIRE(planes.frequencies() == FrequencySet::All());
    size_t differences = 0;
    for (size_t z = 0; z < kFrequencies; ++z) {
      const size_t natural = kZigzagToNatural[z];
      const auto plane = planes.plane(static_cast<int>(z));
      for (size_t b = 0; b < plain.blocks.size(); ++b)
        differences += plane[b] != plain.blocks[b][natural] ? 1 : 0;
      const uint16_t step = plain.quant.empty() ? uint16_t{1} : plain.quant[natural];
      differences += image.geometry.components[c].quant[z] != step ? 1 : 0;
    }
    REQUIRE(differences == 0);
  }
}

}  // namespace freqstore::testutil

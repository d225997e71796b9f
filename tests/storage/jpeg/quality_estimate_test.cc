#include "storage/jpeg/quality_estimate.h"

#include <catch2/catch_test_macros.hpp>

#include "storage/jpeg/jpeg_reader.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {

TEST_CASE("libjpeg's own tables give their quality", "[quality]") {
  for (int quality = 1; quality <= 100; ++quality) {
    CAPTURE(quality);
    const auto image =
        ReadJpeg(AsBytes(testutil::BuildJpeg({.sampling = {}, .quality = quality, .exif = {}})), {});
    REQUIRE(image.ok());
    CHECK(image->quality == quality);
  }
}

TEST_CASE("A table near to libjpeg's gives the nearest quality", "[quality]") {
  const auto image = ReadJpeg(AsBytes(testutil::BuildJpeg({.sampling = {}, .quality = 60, .exif = {}})), {});
  REQUIRE(image.ok());
  std::array<uint16_t, kFrequencies> quant = image->geometry.components[0].quant;
  for (size_t z = 0; z < kFrequencies; z += 5) ++quant[z];
  CHECK(EstimateQuality(quant) == 60);
}

TEST_CASE("Tables that are not like libjpeg's give 0", "[quality]") {
  std::array<uint16_t, kFrequencies> quant;
  quant.fill(16);
  CHECK(EstimateQuality(quant) == 0);
  quant.fill(65535);
  CHECK(EstimateQuality(quant) == 0);
}

}  // namespace freqstore

// Any bytes as a JPEG file, and as the payload of an EXIF marker.
#include "storage/base/status.h"
#include "storage/jpeg/exif_orientation.h"
#include "storage/jpeg/jpeg_reader.h"
#include "tests/fuzz/fuzz_check.h"

namespace freqstore {
namespace {

size_t ComponentsOf(ColorModel color) {
  switch (color) {
    case ColorModel::kGrayscale:
      return 1;
    case ColorModel::kYCbCr:
    case ColorModel::kRgb:
      return 3;
    default:
      return 4;
  }
}

void CheckImage(const JpegImage& image, const JpegLimits& limits) {
  const ImageGeometry& geometry = image.geometry;
  FUZZ_CHECK(uint64_t{geometry.width} * geometry.height <= limits.pixels_max);
  FUZZ_CHECK(geometry.width > 0 && geometry.height > 0);
  FUZZ_CHECK(geometry.orientation >= 1 && geometry.orientation <= 8);
  FUZZ_CHECK(geometry.components.size() == ComponentsOf(geometry.color));
  FUZZ_CHECK(image.components.size() == geometry.components.size());
  FUZZ_CHECK(image.quality <= 100);
  for (size_t c = 0; c < image.components.size(); ++c) {
    const ComponentGeometry& component = geometry.components[c];
    FUZZ_CHECK(component.h_samp >= 1 && component.h_samp <= 4);
    FUZZ_CHECK(component.v_samp >= 1 && component.v_samp <= 4);
    FUZZ_CHECK(component.grid == ExpectedGrid(geometry, component));
    FUZZ_CHECK(component.grid.blocks() > 0);
    FUZZ_CHECK(image.components[c].grid() == component.grid);
    FUZZ_CHECK(image.components[c].frequencies() == FrequencySet::All());
    for (uint16_t step : component.quant) FUZZ_CHECK(step >= 1);
  }
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using freqstore::Bytes;
  const Bytes bytes(data, size);
  constexpr freqstore::JpegLimits kLimits{.pixels_max = 1 << 18, .scans_max = 20};
  const auto image = freqstore::ReadJpeg(bytes, kLimits);
  if (image.ok()) {
    freqstore::CheckImage(*image, kLimits);
  } else {
    FUZZ_CHECK(!freqstore::MessageOf(image.status()).empty());
  }
  const auto orientation = freqstore::ParseExifOrientation(bytes);
  FUZZ_CHECK(!orientation || (*orientation >= 1 && *orientation <= 8));
  return 0;
}

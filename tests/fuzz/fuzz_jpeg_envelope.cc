// Any bytes as an envelope, with an image that they make up too: it is refused, or a file comes of it.
#include <algorithm>
#include <vector>

#include "storage/base/status.h"
#include "storage/jpeg/envelope_block.h"
#include "storage/jpeg/jpeg_writer.h"
#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/fuzz_check.h"

namespace freqstore {
namespace {

constexpr size_t kFileBytesMax = size_t{1} << 20;
constexpr size_t kBlockBytesMax = size_t{1} << 20;

ImageGeometry MakeGeometry(ByteSource& source) {
  constexpr ColorModel kColors[] = {ColorModel::kGrayscale, ColorModel::kYCbCr, ColorModel::kRgb,
                                    ColorModel::kCmyk, ColorModel::kAdobeYcck};
  ImageGeometry geometry;
  geometry.color = kColors[source.Byte() % std::size(kColors)];
  geometry.width = 1 + source.Byte() % 64u;
  geometry.height = 1 + source.Byte() % 64u;
  const size_t components = geometry.color == ColorModel::kGrayscale ? 1
                            : geometry.color >= ColorModel::kCmyk    ? 4
                                                                     : 3;
  for (size_t c = 0; c < components; ++c) {
    ComponentGeometry component;
    const uint8_t sampling = components == 1 ? uint8_t{0} : source.Byte();
    component.h_samp = static_cast<uint8_t>(1 + sampling % 4);
    component.v_samp = static_cast<uint8_t>(1 + sampling / 4 % 4);
    component.quant.fill(static_cast<uint16_t>(1 + c));
    geometry.components.push_back(component);
  }
  for (ComponentGeometry& component : geometry.components) component.grid = ExpectedGrid(geometry, component);
  return geometry;
}

/// Mostly zeros, as in images; some values beyond what can be coded.
int16_t MakeValue(ByteSource& source) {
  const uint8_t size = source.Byte();
  if (size < 200) return 0;
  if (size < 250) return static_cast<int16_t>(source.Byte() % 8 - 4);
  return static_cast<int16_t>(source());
}

CoefficientPlanes MakePlanes(ByteSource& source, BlockGrid grid) {
  const FrequencySet narrow((uint64_t{source()} << 48 | uint64_t{source()} << 20));
  CoefficientPlanes planes;
  planes.Reset(grid, FrequencySet::All(), narrow);
  for (int z = 0; z < kFrequencies; ++z) {
    for (size_t b = 0; b < grid.blocks(); ++b) {
      const int16_t value = MakeValue(source);
      if (planes.IsNarrow(z)) {
        planes.narrow_plane(z)[b] = static_cast<int8_t>(value);
      } else {
        planes.plane(z)[b] = value;
      }
    }
  }
  return planes;
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace freqstore;
  const Bytes input(data, size);
  const auto block = EnvelopeBlock::Decompress(input, kBlockBytesMax);
  FUZZ_CHECK(block.ok() || ReasonOf(block.status()) == "CORRUPT_ENVELOPE");

  const size_t image_bytes = std::min<size_t>(size, 16);
  ByteSource source(input.first(image_bytes));
  const ImageGeometry geometry = MakeGeometry(source);
  std::vector<CoefficientPlanes> planes;
  for (const ComponentGeometry& component : geometry.components)
    planes.push_back(MakePlanes(source, component.grid));
  const auto file = WriteJpeg(input.subspan(image_bytes), geometry, planes, kFileBytesMax);
  if (file.ok()) {
    FUZZ_CHECK(file->size() <= kFileBytesMax);
  } else {
    FUZZ_CHECK(ReasonOf(file.status()) == "CORRUPT_ENVELOPE");
  }
  return 0;
}

// Any geometry and any coefficients, through the renderer at every instruction set against the plain
// reference: the bytes of reduced and full-size images, tensors within their bound.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "gpu/cpu/render/reduced_renderer.h"
#include "gpu/cpu/render/reference_render.h"
#include "gpu/cpu/render/renderer.h"
#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/fuzz_check.h"

namespace freqstore {
namespace {

constexpr uint32_t kPixelsMax = 1500;
constexpr uint32_t kTensorSideMax = 20;

struct Image {
  ImageGeometry geometry;
  std::vector<CoefficientPlanes> planes;
};

uint16_t Quant(ByteSource& source) {
  constexpr std::array<uint16_t, 8> kSteps = {1, 2, 31, 32, 255, 4095, 4096, 65535};
  const uint8_t kind = source.Byte();
  return kind < 128 ? kSteps[kind % kSteps.size()] : static_cast<uint16_t>(1 + source() % 65535);
}

// Small numbers, any, or the largest there are.
int16_t Value(ByteSource& source, uint8_t kind, bool is_narrow) {
  const auto any = static_cast<int16_t>(source());
  const int magnitude_max = is_narrow ? INT8_MAX : INT16_MAX;
  switch (kind % 4) {
    case 0:
      return 0;
    case 1:
      return static_cast<int16_t>(any % 8);
    case 2:
      return static_cast<int16_t>(any < 0 ? -magnitude_max - 1 : magnitude_max);
    default:
      return is_narrow ? static_cast<int8_t>(any & 0xff) : any;
  }
}

CoefficientPlanes Planes(ByteSource& source, BlockGrid grid) {
  const uint8_t side = source.Byte() % 9;
  const FrequencySet kept = FrequencySet::Cut(side, source.Byte() % 15);
  uint64_t narrow = 0;
  for (int i = 0; i < 4; ++i) narrow = narrow << 16 | source();
  CoefficientPlanes planes;
  planes.Reset(grid, kept, FrequencySet(narrow));
  for (int z = 0; z < kFrequencies; ++z) {
    if (!kept.Contains(z)) continue;
    const uint8_t kind = source.Byte();
    for (size_t block = 0; block < grid.blocks(); ++block) {
      if (planes.IsNarrow(z)) {
        planes.narrow_plane(z)[block] = static_cast<int8_t>(Value(source, kind, true));
      } else {
        planes.plane(z)[block] = Value(source, kind, false);
      }
    }
  }
  return planes;
}

Image MakeImage(ByteSource& source) {
  Image image;
  ImageGeometry& geometry = image.geometry;
  geometry.color = static_cast<ColorModel>(1 + source.Byte() % 6);
  geometry.orientation = static_cast<uint8_t>(1 + source.Byte() % 8);
  geometry.width = 1 + source.Byte() % 100u;
  geometry.height = 1 + source.Byte() % std::min(100u, kPixelsMax / geometry.width);
  geometry.components.resize(ComponentCount(geometry.color));
  for (ComponentGeometry& component : geometry.components) {
    component.h_samp = static_cast<uint8_t>(1 + source.Byte() % 4);
    component.v_samp = static_cast<uint8_t>(1 + source.Byte() % 4);
    for (uint16_t& step : component.quant) step = Quant(source);
  }
  for (ComponentGeometry& component : geometry.components) {
    component.grid = ExpectedGrid(geometry, component);
    image.planes.push_back(Planes(source, component.grid));
  }
  return image;
}

// What floats may be off by: see renderer.h.
double Tolerance(const Image& image) {
  double largest = 0;
  for (size_t c = 0; c < image.planes.size(); ++c) {
    const CoefficientPlanes& planes = image.planes[c];
    for (size_t block = 0; block < planes.grid().blocks(); ++block) {
      double sum = 0;
      for (int z = 0; z < kFrequencies; ++z) {
        if (!planes.frequencies().Contains(z)) continue;
        const double step = image.geometry.components[c].quant[static_cast<size_t>(z)];
        sum += std::abs(step * planes.value(z, block));
      }
      largest = std::max(largest, sum);
    }
  }
  return kRenderTolerance + largest * kRenderRelativeTolerance;
}

void CheckReduced(const Image& image, int k, bool apply_orientation) {
  const RgbImage expected = ReferenceRenderReduced(image.geometry, image.planes, k, apply_orientation);
  const bool is_exact = k == kBlockSide || ReducedRenderer::Handles(image.geometry, k);
  const double difference_max = is_exact ? 0 : 1 + Tolerance(image);
  for (const SimdLevel level : SupportedSimdLevels()) {
    const auto rendered = Renderer(level).RenderReduced(image.geometry, image.planes, k, apply_orientation);
    FUZZ_CHECK(rendered.ok());
    FUZZ_CHECK(rendered->width == expected.width && rendered->height == expected.height);
    for (size_t i = 0; i < expected.pixels.size(); ++i)
      FUZZ_CHECK(std::abs(rendered->pixels[i] - expected.pixels[i]) <= difference_max);
  }
}

void CheckTensor(const Image& image, const RenderSpec& spec, bool match_weights) {
  const auto expected = ReferenceRender(image.geometry, image.planes, match_weights, spec);
  FUZZ_CHECK(expected.ok());
  const double tolerance = Tolerance(image);
  for (const SimdLevel level : SupportedSimdLevels()) {
    std::vector<float> rendered(expected->size());
    FUZZ_CHECK(Renderer(level).Render(image.geometry, image.planes, match_weights, spec, rendered).ok());
    for (size_t i = 0; i < rendered.size(); ++i)
      FUZZ_CHECK(std::abs(rendered[i] - (*expected)[i]) <= tolerance);
  }
}

void Check(ByteSource source) {
  const int k = 1 + source.Byte() % kBlockSide;
  const uint8_t flags = source.Byte();
  RenderSpec spec;
  spec.resize.width = 1 + source.Byte() % kTensorSideMax;
  spec.resize.height = 1 + source.Byte() % kTensorSideMax;
  if ((flags & 1) != 0) {
    spec.resize.kind = ResizeRule::Kind::kShortest;
    spec.resize.shortest = std::max(spec.resize.width, spec.resize.height) + source.Byte() % 8u;
  }
  spec.apply_orientation = (flags & 2) != 0;
  spec.bgr = (flags & 4) != 0;
  const Image image = MakeImage(source);
  CheckReduced(image, k, spec.apply_orientation);
  CheckTensor(image, spec, (flags & 8) != 0);
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  freqstore::Check(freqstore::ByteSource(freqstore::Bytes(data, size)));
  return 0;
}

#include "tests/gpu/cpu/render_checks.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch_test_macros.hpp>

#include "gpu/cpu/render/reduced_renderer.h"
#include "gpu/cpu/render/reference_render.h"
#include "gpu/cpu/render/renderer.h"
#include "tests/gpu/cpu/plain_pixels.h"

namespace freqstore::testutil {

ResizeRule Stretch(uint32_t width, uint32_t height) {
  return {.width = width, .height = height};
}

ResizeRule ShortestCrop(uint32_t shortest, uint32_t width, uint32_t height) {
  return {.kind = ResizeRule::Kind::kShortest, .width = width, .height = height, .shortest = shortest};
}

void CheckRender(const TestImage& image, const ImageCut& cut, const RenderSpec& spec, SimdLevel level) {
  const std::vector<CoefficientPlanes> planes = Keep(image.components, cut);
  const auto expected = ReferenceRender(image.geometry, planes, cut.match_weights, spec);
  REQUIRE(expected.ok());
  std::vector<float> rendered(expected->size());
  Renderer renderer(level);
  REQUIRE(renderer.Render(image.geometry, planes, cut.match_weights, spec, rendered).ok());
  double worst = 0;
  for (size_t i = 0; i < rendered.size(); ++i) {
    worst = std::max(worst, static_cast<double>(std::abs(rendered[i] - (*expected)[i])));
  }
  CHECK(worst < kRenderTolerance);
}

void CheckReduced(const TestImage& image, const std::vector<CoefficientPlanes>& planes, int k,
                  SimdLevel level) {
  const RgbImage expected = ReferenceRenderReduced(image.geometry, planes, k, true);
  Renderer renderer(level);
  const auto rendered = renderer.RenderReduced(image.geometry, planes, k, true);
  REQUIRE(rendered.ok());
  REQUIRE(rendered->width == expected.width);
  REQUIRE(rendered->height == expected.height);
  const Difference difference = Compare(*rendered, expected);
  if (k == 8 || ReducedRenderer::Handles(image.geometry, k)) {
    CHECK(difference.max == 0);
  } else {
    CHECK(difference.max <= 1);      // a value that lies between two bytes may be rounded to either
    CHECK(difference.mean < 0.005);  // and rarely does
  }
}

}  // namespace freqstore::testutil

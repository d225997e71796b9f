// Sizes and sampling factors at the ends of what a file may have, against the reference.
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "tests/gpu/cpu/render_checks.h"
#include "tests/gpu/cpu/synthetic_image.h"

namespace freqstore {
namespace {

using testutil::CheckReduced;
using testutil::CheckRender;
using testutil::Describe;
using testutil::ImageSpec;
using testutil::MakeImage;
using testutil::ShortestCrop;
using testutil::Stretch;
using testutil::TestImage;
using testutil::UniformCut;

TEST_CASE("images of one pixel or one line agree with the reference") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  const std::vector<std::vector<std::pair<int, int>>> samplings = {
      {{1, 1}, {1, 1}, {1, 1}}, {{2, 2}, {1, 1}, {1, 1}}, {{3, 1}, {1, 1}, {2, 1}}};
  for (const auto& [width, height] : {std::pair{1u, 1u}, {65500u, 1u}, {1u, 65500u}}) {
    for (const auto& sampling : samplings) {
      const ImageSpec spec{.width = width, .height = height, .sampling = sampling, .orientation = 6};
      CAPTURE(SimdLevelName(level), Describe(spec));
      const TestImage image = MakeImage(spec);
      for (int k : {1, 3, 8}) CheckReduced(image, image.components, k, level);
      CheckRender(image, UniformCut(2), {.resize = Stretch(9, 12)}, level);
      CheckRender(image, UniformCut(8), {.resize = ShortestCrop(3, 3, 2)}, level);
    }
  }
}

TEST_CASE("all pairs of sampling factors agree with the reference") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  const int samp_max = GENERATE(1, 2, 3, 4);
  uint32_t seed = 1;
  for (int h = 1; h <= 4; ++h) {
    for (int v = 1; v <= 4; ++v) {
      const ImageSpec spec{.width = 37,
                           .height = 29,
                           .sampling = {{samp_max, 1}, {h, v}, {1, samp_max}},
                           .seed = ++seed,
                           .narrow = seed % 2 == 0};
      CAPTURE(SimdLevelName(level), Describe(spec));
      const TestImage image = MakeImage(spec);
      for (int k = 1; k <= 8; ++k) CheckReduced(image, image.components, k, level);
      CheckRender(image, UniformCut(6, 7), {.resize = Stretch(20, 21)}, level);
    }
  }
}

}  // namespace
}  // namespace freqstore

// Images of four components: against the reference, and against the formulas of colour applied to what the
// renderer makes of the components as three.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "gpu/cpu/render/reduced_renderer.h"
#include "gpu/cpu/render/renderer.h"
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

const std::vector<ColorModel> kModels = {ColorModel::kCmyk, ColorModel::kAdobeCmyk, ColorModel::kAdobeYcck};

const std::vector<std::vector<std::pair<int, int>>> kSamplings = {
    {{1, 1}, {1, 1}, {1, 1}, {1, 1}}, {{2, 2}, {1, 1}, {1, 1}, {2, 2}}, {{2, 1}, {1, 1}, {1, 1}, {2, 1}},
    {{1, 2}, {1, 2}, {1, 1}, {1, 2}}, {{4, 1}, {1, 1}, {2, 1}, {4, 1}}, {{3, 1}, {2, 1}, {1, 1}, {3, 1}},
    {{1, 1}, {2, 2}, {1, 2}, {2, 1}}, {{2, 2}, {2, 2}, {2, 2}, {1, 1}}};

// The same image as three of its components, with the sampling of all: the first three, or the fourth and two
// that have the largest factors.
TestImage Three(const TestImage& image, ColorModel color, std::array<size_t, 3> components) {
  TestImage three;
  three.geometry = image.geometry;
  three.geometry.color = color;
  three.geometry.components.clear();
  for (const size_t c : components) {
    three.geometry.components.push_back(image.geometry.components[c]);
    three.components.push_back(image.components[c]);
  }
  return three;
}

size_t LargestBy(const ImageGeometry& geometry, uint8_t ComponentGeometry::*factor) {
  const auto largest = std::ranges::max_element(geometry.components, {}, factor);
  return static_cast<size_t>(largest - geometry.components.begin());
}

// The formulas as the decode definition states them, in doubles.
double Light(ColorModel color, double of_component, double k) {
  if (color == ColorModel::kCmyk) return (255 - of_component) * (255 - k) / 255;
  if (color == ColorModel::kAdobeYcck) of_component = 255 - of_component;
  return of_component * k / 255;
}

struct Parts {
  TestImage colors;  // C, M, Y, as RGB or YCbCr
  TestImage key;     // K first
};

// Three components must have the sampling factors that all four have: images whose fourth alone has the
// largest are left out.
Parts Split(const TestImage& image) {
  const ColorModel color =
      image.geometry.color == ColorModel::kAdobeYcck ? ColorModel::kYCbCr : ColorModel::kRgb;
  return {.colors = Three(image, color, {0, 1, 2}),
          .key = Three(image, ColorModel::kRgb,
                       {3, LargestBy(image.geometry, &ComponentGeometry::h_samp),
                        LargestBy(image.geometry, &ComponentGeometry::v_samp)})};
}

TEST_CASE("reduced images of four components have the stated colours") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  const ColorModel color = GENERATE(from_range(kModels));
  Renderer renderer(level);
  uint32_t seed = 1;
  for (const auto& sampling : kSamplings) {
    for (const auto& [width, height] : {std::pair{1u, 1u}, {17u, 9u}, {70u, 33u}, {8u, 141u}}) {
      const ImageSpec spec{.width = width,
                           .height = height,
                           .color = color,
                           .sampling = sampling,
                           .orientation = static_cast<uint8_t>(1 + seed % 8),
                           .seed = seed,
                           .narrow = seed % 2 == 0};
      ++seed;
      const TestImage image = MakeImage(spec);
      const Parts parts = Split(image);
      for (int k = 1; k <= 8; ++k) {
        CAPTURE(SimdLevelName(level), Describe(spec), k);
        const auto rendered = renderer.RenderReduced(image.geometry, image.components, k, true);
        const auto colors = renderer.RenderReduced(parts.colors.geometry, parts.colors.components, k, true);
        const auto key = renderer.RenderReduced(parts.key.geometry, parts.key.components, k, true);
        REQUIRE(rendered.ok());
        REQUIRE(colors.ok());
        REQUIRE(key.ok());
        REQUIRE(rendered->pixels.size() == colors->pixels.size());
        // In floats nothing is rounded or clamped before the colours are made, as it is in bytes.
        const auto in_bytes = [k](const TestImage& of) {
          return k == 8 || ReducedRenderer::Handles(of.geometry, k);
        };
        const double difference_max = in_bytes(image) ? 0.5 : 2;
        const bool is_comparable =
            in_bytes(image) == in_bytes(parts.colors) && in_bytes(image) == in_bytes(parts.key);
        for (size_t i = 0; is_comparable && i < rendered->pixels.size(); ++i) {
          const double light = Light(color, colors->pixels[i], key->pixels[i / 3 * 3]);
          REQUIRE(std::abs(rendered->pixels[i] - light) <= difference_max);
        }
        CheckReduced(image, image.components, k, level);
      }
    }
  }
}

TEST_CASE("tensors of four components have the stated colours") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  const ColorModel color = GENERATE(from_range(kModels));
  Renderer renderer(level);
  uint32_t seed = 1;
  for (const auto& sampling : kSamplings) {
    for (uint8_t orientation = 1; orientation <= 8; ++orientation) {
      const ImageSpec spec{.width = 83,
                           .height = 45,
                           .color = color,
                           .sampling = sampling,
                           .orientation = orientation,
                           .seed = ++seed};
      CAPTURE(SimdLevelName(level), Describe(spec));
      const TestImage image = MakeImage(spec);
      const Parts parts = Split(image);
      const RenderSpec plain{.resize = ShortestCrop(40, 38, 29)};
      const size_t values = size_t{3} * 38 * 29;
      std::vector<float> rendered(values);
      std::vector<float> colors(values);
      std::vector<float> key(values);
      REQUIRE(renderer.Render(image.geometry, image.components, false, plain, rendered).ok());
      REQUIRE(renderer.Render(parts.colors.geometry, parts.colors.components, false, plain, colors).ok());
      REQUIRE(renderer.Render(parts.key.geometry, parts.key.components, false, plain, key).ok());
      for (size_t i = 0; i < values; ++i)
        REQUIRE(std::abs(rendered[i] - Light(color, colors[i], key[i % (values / 3)])) < 1e-2);

      const RenderSpec scaled{
          .resize = Stretch(21, 30), .bgr = true, .mean = {10, 20, 30}, .scale = {.5f, 1.f, .25f}};
      CheckRender(image, UniformCut(5, 6), scaled, level);
      ImageCut matched = UniformCut(3);
      matched.match_weights = true;
      CheckRender(image, matched, scaled, level);
    }
  }
}

TEST_CASE("four components without coefficients are mid-grey inks") {
  for (const ColorModel color : kModels) {
    const TestImage image =
        MakeImage({.width = 20, .height = 9, .color = color, .sampling = {{2, 2}, {1, 1}, {1, 1}, {2, 2}}});
    const std::vector<CoefficientPlanes> nothing = testutil::Keep(image.components, ImageCut{});
    Renderer renderer(BestSimdLevel());
    for (int k : {1, 8}) {
      const auto reduced = renderer.RenderReduced(image.geometry, nothing, k, false);
      REQUIRE(reduced.ok());
      const auto expected = static_cast<uint8_t>(std::lround(Light(color, 128, 128)));
      CHECK(std::ranges::all_of(reduced->pixels, [&](uint8_t v) { return v == expected; }));
    }
  }
}

}  // namespace
}  // namespace freqstore

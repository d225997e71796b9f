// The renderer against the plain reference, at every instruction set of the machine.
#include "gpu/cpu/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "gpu/cpu/render/reference_render.h"
#include "storage/base/status.h"
#include "storage/jpeg/jpeg_reader.h"
#include "tests/gpu/cpu/plain_pixels.h"
#include "tests/gpu/cpu/render_checks.h"
#include "tests/gpu/cpu/synthetic_image.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {
namespace {

using testutil::CheckReduced;
using testutil::CheckRender;
using testutil::Describe;
using testutil::ImageSpec;
using testutil::Keep;
using testutil::MakeImage;
using testutil::Narrowed;
using testutil::ShortestCrop;
using testutil::Stretch;
using testutil::TestImage;
using testutil::UniformCut;

const std::vector<std::vector<std::pair<int, int>>> kSamplings = {
    {{1, 1}, {1, 1}, {1, 1}}, {{2, 2}, {1, 1}, {1, 1}}, {{2, 1}, {1, 1}, {1, 1}}, {{1, 2}, {1, 1}, {1, 1}},
    {{4, 1}, {1, 1}, {1, 1}}, {{1, 4}, {1, 1}, {1, 1}}, {{3, 1}, {2, 1}, {1, 1}}, {{3, 2}, {2, 3}, {1, 1}},
    {{4, 2}, {1, 2}, {2, 1}}, {{1, 1}, {2, 2}, {1, 2}}};

const std::vector<std::pair<uint32_t, uint32_t>> kSizes = {{1, 1},   {2, 3},    {7, 9},    {8, 8},  {16, 5},
                                                           {33, 70}, {131, 67}, {300, 41}, {9, 260}};

TEST_CASE("a rendering agrees with the reference in every chroma layout and size") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  CAPTURE(SimdLevelName(level));
  uint32_t seed = 1;
  for (const auto& sampling : kSamplings) {
    for (const auto& [width, height] : kSizes) {
      const ImageSpec spec{
          .width = width, .height = height, .sampling = sampling, .seed = seed, .narrow = seed % 2 == 0};
      ++seed;
      CAPTURE(Describe(spec));
      const TestImage image = MakeImage(spec);
      CheckRender(image, UniformCut(8), {.resize = Stretch(24, 17)}, level);
      CheckRender(image, UniformCut(5, 5), {.resize = ShortestCrop(20, 19, 7)}, level);
    }
  }
}

TEST_CASE("every cut of frequencies agrees with the reference") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  const TestImage image =
      MakeImage({.width = 93, .height = 61, .sampling = {{2, 2}, {1, 1}, {1, 1}}, .seed = 7});
  for (int side = 1; side <= 8; ++side) {
    for (int diagonal : {side - 1, side, 14}) {
      CAPTURE(SimdLevelName(level), side, diagonal);
      CheckRender(image, UniformCut(side, diagonal), {.resize = Stretch(35, 40)}, level);
    }
  }
  ImageCut cut = UniformCut(4, 4);
  cut.components[1] = {.side = 2, .diagonal = 14};
  cut.components[2] = {.side = 0, .diagonal = 14};
  CheckRender(image, cut, {.resize = Stretch(35, 40)}, level);
  cut.components[0] = {.side = 0, .diagonal = 14};
  CheckRender(image, cut, {.resize = Stretch(35, 40)}, level);
}

TEST_CASE("orientation, enlarging, cropping and colours agree with the reference") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  for (uint8_t orientation = 1; orientation <= 8; ++orientation) {
    for (ColorModel color : {ColorModel::kGrayscale, ColorModel::kYCbCr, ColorModel::kRgb}) {
      ImageSpec spec{
          .width = 57, .height = 38, .color = color, .orientation = orientation, .seed = orientation};
      if (color == ColorModel::kGrayscale) spec.sampling = {{1, 1}};
      if (color == ColorModel::kYCbCr) spec.sampling = {{2, 1}, {1, 1}, {1, 1}};
      CAPTURE(SimdLevelName(level), Describe(spec));
      const TestImage image = MakeImage(spec);
      for (const ResizeRule& rule : {Stretch(21, 30), Stretch(140, 101), Stretch(57, 38),
                                     ShortestCrop(25, 22, 18), ShortestCrop(80, 70, 80)}) {
        RenderSpec render{.resize = rule, .mean = {10, 20, 30}, .scale = {.5f, 1.f, .25f}};
        CheckRender(image, UniformCut(6, 6), render, level);
        render.bgr = true;
        render.apply_orientation = false;
        CheckRender(image, UniformCut(8), render, level);
      }
    }
  }
}

TEST_CASE("match weights agree with the reference") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  for (const auto& sampling : kSamplings) {
    for (int side = 1; side <= 8; ++side) {
      const ImageSpec spec{
          .width = 83, .height = 45, .sampling = sampling, .seed = static_cast<uint32_t>(side)};
      CAPTURE(SimdLevelName(level), Describe(spec), side);
      ImageCut cut = UniformCut(side);
      cut.components[1] = {.side = 2, .diagonal = 14};
      cut.match_weights = true;
      CheckRender(MakeImage(spec), cut, {.resize = Stretch(60, 41)}, level);
    }
  }
  ImageCut cut = UniformCut(3);
  cut.match_weights = true;
  const TestImage rgb = MakeImage({.width = 83, .height = 45, .color = ColorModel::kRgb, .orientation = 7});
  CheckRender(rgb, cut, {.resize = ShortestCrop(40, 30, 38)}, level);
}

TEST_CASE("reduced images agree with the reference") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  uint32_t seed = 100;
  for (const auto& sampling : kSamplings) {
    for (const auto& [width, height] : kSizes) {
      const auto orientation = static_cast<uint8_t>(1 + seed % 8);
      const ImageSpec spec{.width = width,
                           .height = height,
                           .sampling = sampling,
                           .orientation = orientation,
                           .seed = seed,
                           .narrow = seed % 2 == 0};
      ++seed;
      const TestImage image = MakeImage(spec);
      for (int k = 1; k <= 8; ++k) {
        CAPTURE(SimdLevelName(level), Describe(spec), k);
        ImageCut cut = UniformCut(std::min(8, 2 * k));
        cut.components[0].side = static_cast<uint8_t>(k);
        CheckReduced(image, Keep(image.components, cut), k, level);
        CheckReduced(image, image.components, k, level);
      }
    }
  }
}

TEST_CASE("reduced images of every small size agree with the reference") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  const std::vector<std::pair<int, int>>& sampling = GENERATE(from_range(kSamplings));
  Renderer renderer(level);
  double differences = 0;
  double values = 0;
  for (uint32_t size = 1; size <= 40; ++size) {
    const ImageSpec spec{.width = size,
                         .height = 1 + size * 7 % 40,
                         .sampling = sampling,
                         .seed = size,
                         .narrow = size % 2 == 1};
    CAPTURE(SimdLevelName(level), Describe(spec));
    const TestImage image = MakeImage(spec);
    for (int k = 1; k <= 8; ++k) {
      const RgbImage expected = ReferenceRenderReduced(image.geometry, image.components, k, true);
      const auto rendered = renderer.RenderReduced(image.geometry, image.components, k, true);
      REQUIRE(rendered.ok());
      const testutil::Difference difference = testutil::Compare(*rendered, expected);
      REQUIRE(difference.max <= (k == 8 ? 0 : 1));
      differences += difference.mean * static_cast<double>(expected.pixels.size());
      values += static_cast<double>(expected.pixels.size());
    }
  }
  CHECK(differences < 0.002 * values);
}

TEST_CASE("reduced images wider than what one pass of a loop holds agree with the reference") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  for (const auto& sampling : {kSamplings[0], kSamplings[1], kSamplings[2]}) {
    const ImageSpec spec{.width = 1171, .height = 19, .sampling = sampling, .narrow = true};
    CAPTURE(SimdLevelName(level), Describe(spec));
    const TestImage image = MakeImage(spec);
    for (int k = 1; k <= 8; ++k) CheckReduced(image, image.components, k, level);
  }
}

TEST_CASE("narrow and wide planes have the same pixels") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  for (const auto& sampling : kSamplings) {
    const ImageSpec spec{.width = 203, .height = 67, .sampling = sampling};
    CAPTURE(SimdLevelName(level), Describe(spec));
    const TestImage wide = MakeImage(spec);
    std::vector<CoefficientPlanes> narrow;
    int narrow_count = 0;
    for (const CoefficientPlanes& planes : wide.components) {
      narrow.push_back(Narrowed(planes));
      for (int z = 0; z < kFrequencies; ++z) narrow_count += narrow.back().IsNarrow(z) ? 1 : 0;
    }
    REQUIRE(narrow_count > 0);
    REQUIRE(narrow_count < 3 * kFrequencies);
    Renderer renderer(level);
    for (int k = 1; k <= 8; ++k) {
      const auto expected = renderer.RenderReduced(wide.geometry, wide.components, k, true);
      const auto rendered = renderer.RenderReduced(wide.geometry, narrow, k, true);
      REQUIRE(expected.ok());
      REQUIRE(rendered.ok());
      CHECK(rendered->pixels == expected->pixels);
    }
    const RenderSpec render{.resize = Stretch(40, 31)};
    std::vector<float> expected(size_t{3} * 40 * 31);
    std::vector<float> rendered(expected.size());
    REQUIRE(renderer.Render(wide.geometry, wide.components, false, render, expected).ok());
    REQUIRE(renderer.Render(wide.geometry, narrow, false, render, rendered).ok());
    CHECK(rendered == expected);
  }
}

TEST_CASE("an image that is not resized is its plain inverse transform") {
  const TestImage image = MakeImage({.width = 50, .height = 37, .color = ColorModel::kRgb, .seed = 3});
  std::vector<float> rendered(size_t{3} * 50 * 37);
  Renderer renderer(BestSimdLevel());
  REQUIRE(
      renderer.Render(image.geometry, image.components, false, {.resize = Stretch(50, 37)}, rendered).ok());
  const auto full = renderer.RenderReduced(image.geometry, image.components, 8, true);
  REQUIRE(full.ok());
  for (size_t pixel = 0; pixel < size_t{50} * 37; ++pixel) {
    for (size_t c = 0; c < 3; ++c) {
      REQUIRE(std::abs(rendered[c * 50 * 37 + pixel] - static_cast<float>(full->pixels[3 * pixel + c])) <
              1.f);
    }
  }
}

TEST_CASE("an image without coefficients is mid-grey") {
  const TestImage image = MakeImage({.width = 50, .height = 37, .sampling = {{2, 2}, {1, 1}, {1, 1}}});
  const std::vector<CoefficientPlanes> nothing = Keep(image.components, ImageCut{});
  Renderer renderer(BestSimdLevel());
  std::vector<float> rendered(size_t{3} * 10 * 10);
  REQUIRE(renderer.Render(image.geometry, nothing, false, {.resize = Stretch(10, 10)}, rendered).ok());
  CHECK(std::ranges::all_of(rendered, [](float v) { return v == 128.f; }));
  for (int k : {1, 5, 8}) {
    const auto reduced = renderer.RenderReduced(image.geometry, nothing, k, false);
    REQUIRE(reduced.ok());
    CHECK(std::ranges::all_of(reduced->pixels, [](uint8_t v) { return v == 128; }));
  }
}

TEST_CASE("full-size pixels are libjpeg-turbo's, bit for bit") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  using testutil::JpegColor;
  const std::vector<std::pair<int, int>> sizes = {{1, 1},   {3, 2},   {5, 4},     {6, 7},
                                                  {17, 16}, {64, 48}, {203, 157}, {640, 9}};
  const std::vector<std::vector<std::pair<int, int>>> samplings = {{{1, 1}},
                                                                   {{2, 2}},
                                                                   {{2, 1}},
                                                                   {{1, 2}},
                                                                   {{4, 1}},
                                                                   {{1, 4}},
                                                                   {{4, 2}},
                                                                   {{2, 2}, {2, 1}, {1, 2}},
                                                                   {{1, 1}, {2, 2}, {1, 1}}};
  for (const auto& [width, height] : sizes) {
    for (JpegColor color :
         {JpegColor::kGrayscale, JpegColor::kYCbCr, JpegColor::kRgb, JpegColor::kCmyk, JpegColor::kYcck}) {
      for (const auto& sampling : samplings) {
        const bool has_four = color == JpegColor::kCmyk || color == JpegColor::kYcck;
        if (has_four && sampling == std::vector<std::pair<int, int>>{{4, 2}}) continue;  // 11 blocks an MCU
        for (int quality : {10, 75, 98}) {
          const std::string file = testutil::BuildJpeg({.width = width,
                                                        .height = height,
                                                        .color = color,
                                                        .sampling = sampling,
                                                        .quality = quality,
                                                        .exif = ""});
          const auto image = ReadJpeg(AsBytes(file), {});
          REQUIRE(image.ok());
          Renderer renderer(level);
          const auto rendered = renderer.RenderReduced(image->geometry, image->components, 8, false);
          REQUIRE(rendered.ok());
          CAPTURE(SimdLevelName(level), width, height, static_cast<int>(color), sampling.front(), quality);
          CHECK(testutil::Compare(*rendered, testutil::DecodePixels(file)).max == 0);
        }
      }
    }
  }
}

TEST_CASE("rules and planes that cannot be rendered are refused") {
  const TestImage image = MakeImage({.width = 20, .height = 30});
  Renderer renderer(BestSimdLevel());
  std::vector<float> out(size_t{3} * 16);
  const auto reason = [&](const ResizeRule& rule) {
    return ReasonOf(renderer.Render(image.geometry, image.components, false, {.resize = rule}, out));
  };
  CHECK(reason(Stretch(0, 4)) == "INVALID_RENDER_SPEC");
  CHECK(reason(ShortestCrop(3, 4, 4)) == "INVALID_RENDER_SPEC");
  CHECK(reason(Stretch(4, 4)) == "OK");

  ImageGeometry larger = image.geometry;
  larger.width = 200;
  CHECK(ReasonOf(renderer.Render(larger, image.components, false, {.resize = Stretch(4, 4)}, out)) ==
        "GEOMETRY_MISMATCH");
  CHECK(ReasonOf(renderer.RenderReduced(larger, image.components, 8, true).status()) == "GEOMETRY_MISMATCH");
  const std::vector<CoefficientPlanes> one(1, image.components[0]);
  CHECK(ReasonOf(renderer.RenderReduced(image.geometry, one, 2, true).status()) == "GEOMETRY_MISMATCH");
}

TEST_CASE("hostile coefficients saturate and nothing more") {
  const SimdLevel level = GENERATE(from_range(SupportedSimdLevels()));
  const bool narrow = GENERATE(false, true);
  const uint16_t quant = GENERATE(as<uint16_t>(), 1, 65, 300, 65535);
  TestImage image = MakeImage({.width = 40, .height = 24, .sampling = {{2, 2}, {1, 1}, {1, 1}}});
  for (ComponentGeometry& component : image.geometry.components) component.quant.fill(quant);
  const int lowest = narrow ? INT8_MIN : INT16_MIN;
  const int highest = narrow ? INT8_MAX : INT16_MAX;
  int value = lowest;
  for (CoefficientPlanes& planes : image.components) {
    planes.Reset(planes.grid(), FrequencySet::All(), narrow ? FrequencySet::All() : FrequencySet());
    for (int z = 0; z < kFrequencies; ++z) {
      for (size_t block = 0; block < planes.grid().blocks(); ++block) {
        if (narrow) {
          planes.narrow_plane(z)[block] = static_cast<int8_t>(value);
        } else {
          planes.plane(z)[block] = static_cast<int16_t>(value);
        }
        value = value == lowest ? highest : lowest;
      }
    }
  }
  CAPTURE(SimdLevelName(level), narrow, quant);
  for (int k = 1; k <= 8; ++k) CheckReduced(image, image.components, k, level);
}

}  // namespace
}  // namespace freqstore

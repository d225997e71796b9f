#include "server/plan/fidelity.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

ImageGeometry Photo(uint32_t width, uint32_t height, uint8_t h_samp, uint8_t v_samp) {
  ImageGeometry geometry;
  geometry.width = width;
  geometry.height = height;
  geometry.color = ColorModel::kYCbCr;
  geometry.components.resize(3);
  geometry.components[0].h_samp = h_samp;
  geometry.components[0].v_samp = v_samp;
  return geometry;
}

RenderSpec Stretch(uint32_t width, uint32_t height) {
  RenderSpec spec;
  spec.resize = {ResizeRule::Kind::kStretch, width, height, 0};
  return spec;
}

const Fidelity kExact{Fidelity::Level::kExact, 0};
const Fidelity kStandard{Fidelity::Level::kStandard, 0};
const Fidelity kReduced{Fidelity::Level::kReduced, 0};

TEST_CASE("cover is the smallest k whose size is not below the resize on either axis") {
  REQUIRE(CutForModel(Photo(500, 375, 1, 1), Stretch(224, 224), kStandard).cover == 5);
  REQUIRE(CutForModel(Photo(500, 375, 1, 1), Stretch(128, 128), kStandard).cover == 3);
  REQUIRE(CutForModel(Photo(512, 512, 1, 1), Stretch(128, 128), kStandard).cover == 2);
  REQUIRE(CutForModel(Photo(511, 512, 1, 1), Stretch(128, 128), kStandard).cover == 3);
  REQUIRE(CutForModel(Photo(100, 100, 1, 1), Stretch(224, 224), kStandard).cover == 8);
  REQUIRE(CutForModel(Photo(4000, 3000, 1, 1), Stretch(224, 224), kStandard).cover == 1);
}

TEST_CASE("a shortest rule looks at the shorter side") {
  RenderSpec spec;
  spec.resize = {ResizeRule::Kind::kShortest, 224, 224, 256};
  REQUIRE(CutForModel(Photo(500, 375, 1, 1), spec, kStandard).cover == 6);
  REQUIRE(CutForModel(Photo(375, 500, 1, 1), spec, kStandard).cover == 6);
  REQUIRE(CutForModel(Photo(2048, 512, 1, 1), spec, kStandard).cover == 4);
}

TEST_CASE("orientation swaps the axes of a stretch, unless it is ignored") {
  ImageGeometry geometry = Photo(800, 400, 1, 1);
  geometry.orientation = 6;
  RenderSpec spec = Stretch(200, 400);
  REQUIRE(CutForModel(geometry, spec, kStandard).cover == 4);
  spec.apply_orientation = false;
  REQUIRE(CutForModel(geometry, spec, kStandard).cover == 8);
}

TEST_CASE("levels keep what the decode definition says of luma") {
  const ImageGeometry photo = Photo(500, 375, 1, 1);
  const auto luma = [&](const Fidelity& fidelity) {
    return CutForModel(photo, Stretch(224, 224), fidelity).cut.components[0];
  };
  REQUIRE(luma(kExact) == FrequencyCut{7, 14});
  REQUIRE(luma(kStandard) == FrequencyCut{6, 7});
  REQUIRE(luma(kReduced) == FrequencyCut{5, 14});
  REQUIRE(luma({Fidelity::Level::kLossy, 3}) == FrequencyCut{3, 14});
}

TEST_CASE("the diagonal of standard goes on where the square has reached 8") {
  const PlannedCut planned = CutForModel(Photo(227, 227, 1, 1), Stretch(224, 224), kStandard);
  REQUIRE(planned.cover == 8);
  REQUIRE(planned.cut.components[0] == FrequencyCut{8, 10});
}

TEST_CASE("only a cut below the cover is weighted") {
  const ImageGeometry photo = Photo(500, 375, 1, 1);
  REQUIRE(CutForModel(photo, Stretch(224, 224), {Fidelity::Level::kLossy, 3}).cut.match_weights);
  REQUIRE_FALSE(CutForModel(photo, Stretch(224, 224), {Fidelity::Level::kLossy, 8}).cut.match_weights);
  REQUIRE_FALSE(CutForModel(photo, Stretch(224, 224), kStandard).cut.match_weights);
}

TEST_CASE("chroma is kept at half the resize, never DC alone, and whole for exact") {
  const auto chroma = [](const ImageGeometry& photo, uint32_t side, const Fidelity& fidelity) {
    return CutForModel(photo, Stretch(side, side), fidelity).cut.components[1].side;
  };
  REQUIRE(chroma(Photo(500, 375, 1, 1), 224, kStandard) == 3);  // 375 * 3/8 = 140 >= 112
  REQUIRE(chroma(Photo(500, 375, 2, 2), 224, kStandard) == 5);  // 375 * 5/16 = 117 >= 112
  REQUIRE(chroma(Photo(4000, 3000, 1, 1), 224, kStandard) == 2);
  REQUIRE(chroma(Photo(500, 375, 1, 1), 224, kExact) == 7);
  REQUIRE(chroma(Photo(500, 375, 2, 2), 224, kExact) == 8);
}

TEST_CASE("components that are no colour differences are kept as luma is") {
  ImageGeometry photo = Photo(500, 375, 1, 1);
  const auto cut = [&](ColorModel color, size_t component) {
    photo.color = color;
    photo.components.resize(ComponentCount(color));
    return CutForModel(photo, Stretch(224, 224), kStandard).cut.components[component];
  };
  for (const ColorModel color : {ColorModel::kRgb, ColorModel::kCmyk, ColorModel::kAdobeCmyk}) {
    for (size_t c = 0; c < ComponentCount(color); ++c) REQUIRE(cut(color, c) == FrequencyCut{6, 7});
  }
  REQUIRE(cut(ColorModel::kAdobeYcck, 0) == FrequencyCut{6, 7});
  REQUIRE(cut(ColorModel::kAdobeYcck, 1) == FrequencyCut{3, 14});
  REQUIRE(cut(ColorModel::kAdobeYcck, 2) == FrequencyCut{3, 14});
  REQUIRE(cut(ColorModel::kAdobeYcck, 3) == FrequencyCut{6, 7});
}

TEST_CASE("a subsampled component that counts as luma is kept to the same resolution") {
  ImageGeometry photo = Photo(4000, 3000, 2, 2);
  photo.color = ColorModel::kAdobeYcck;
  photo.components.resize(4);
  const ImageCut cut = CutForModel(photo, Stretch(224, 224), kStandard).cut;
  REQUIRE(cut.components[0] == FrequencyCut{2, 3});
  REQUIRE(cut.components[3] == FrequencyCut{4, 6});
}

TEST_CASE("a reduced image reads k x k of luma and up to 2k x 2k of subsampled chroma") {
  const ImageCut full = CutForScale(Photo(500, 375, 1, 1), 2);
  REQUIRE(full.components[0].side == 2);
  REQUIRE(full.components[1].side == 2);
  const ImageCut subsampled = CutForScale(Photo(500, 375, 2, 2), 3);
  REQUIRE(subsampled.components[0].side == 3);
  REQUIRE(subsampled.components[1].side == 6);
  REQUIRE(CutForScale(Photo(500, 375, 2, 2), 8).components[1].side == 8);
}

}  // namespace
}  // namespace freqstore

#include "gpu/kernels/placement.h"

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"

namespace freqstore {
namespace {

ImageGeometry Geometry(uint32_t width, uint32_t height, int orientation = 1) {
  ImageGeometry geometry;
  geometry.width = width;
  geometry.height = height;
  geometry.orientation = static_cast<uint8_t>(orientation);
  return geometry;
}

ResizeRule ShortestCrop(uint32_t shortest, uint32_t width, uint32_t height) {
  return {.kind = ResizeRule::Kind::kShortest, .width = width, .height = height, .shortest = shortest};
}

TEST_CASE("stretch takes the whole image to the size") {
  const auto sampling = SampleResized(Geometry(500, 375), {.width = 224, .height = 192}, true);
  REQUIRE(sampling.ok());
  CHECK(sampling->x == AxisSampling{.resized = 224, .first = 0, .count = 224});
  CHECK(sampling->y == AxisSampling{.resized = 192, .first = 0, .count = 192});
  CHECK(!sampling->transposed);
}

TEST_CASE("shortest sizes like torchvision's Resize and CenterCrop") {
  const auto wide = SampleResized(Geometry(500, 375), ShortestCrop(256, 224, 224), true);
  REQUIRE(wide.ok());
  CHECK(wide->x == AxisSampling{.resized = 341, .first = 58, .count = 224});  // 58.5 to even
  CHECK(wide->y == AxisSampling{.resized = 256, .first = 16, .count = 224});
  const auto odd = SampleResized(Geometry(300, 227), ShortestCrop(227, 227, 225), true);
  REQUIRE(odd.ok());
  CHECK(odd->x.first == 36);  // 36.5 to even
  CHECK(odd->y.first == 1);
  const auto up = SampleResized(Geometry(10, 20), ShortestCrop(100, 99, 97), true);
  REQUIRE(up.ok());
  CHECK(up->x == AxisSampling{.resized = 100, .first = 0, .count = 99});   // 0.5 to even
  CHECK(up->y == AxisSampling{.resized = 200, .first = 52, .count = 97});  // 51.5 to even
}

TEST_CASE("rules are meant for the displayed image") {
  const auto rotated = SampleResized(Geometry(400, 200, 6), {.width = 30, .height = 50}, true);
  REQUIRE(rotated.ok());
  CHECK(rotated->transposed);
  CHECK(rotated->display_width() == 30);
  CHECK(rotated->display_height() == 50);
  CHECK(rotated->x.count == 50);
  CHECK(rotated->y.count == 30);
  CHECK(!rotated->x.mirrored);
  CHECK(rotated->y.mirrored);
  const auto as_coded = SampleResized(Geometry(400, 200, 6), {.width = 30, .height = 50}, false);
  REQUIRE(as_coded.ok());
  CHECK(!as_coded->transposed);
  CHECK(as_coded->x.count == 30);
  const auto cropped = SampleResized(Geometry(400, 200, 8), ShortestCrop(100, 80, 90), true);
  REQUIRE(cropped.ok());
  CHECK(cropped->x == AxisSampling{.resized = 200, .first = 55, .count = 90, .mirrored = true});
  CHECK(cropped->y == AxisSampling{.resized = 100, .first = 10, .count = 80});
}

TEST_CASE("extreme shapes are placed without overflow") {
  const auto thin = SampleResized(Geometry(65535, 1), ShortestCrop(4000, 4000, 4000), true);
  REQUIRE(thin.ok());
  CHECK(thin->x.resized == 262'140'000);
  CHECK(thin->x.first == (262'140'000 - 4000) / 2);
}

TEST_CASE("reduced sizes are rounded up") {
  const ImageSampling sampling = SampleReduced(Geometry(17, 9, 5), 3, true);
  CHECK(sampling.x.count == 7);
  CHECK(sampling.y.count == 4);
  CHECK(sampling.display_width() == 4);
  CHECK(sampling.display_height() == 7);
  CHECK(SampleReduced(Geometry(1, 1), 1, true).x.count == 1);
}

TEST_CASE("impossible rules are refused") {
  for (const ResizeRule& rule : {ResizeRule{.width = 0, .height = 5}, ResizeRule{.width = 5, .height = 0},
                                 ShortestCrop(4, 5, 4), ShortestCrop(4, 4, 5), ShortestCrop(0, 1, 1)}) {
    const auto sampling = SampleResized(Geometry(10, 10), rule, true);
    CHECK(ReasonOf(sampling.status()) == "INVALID_RENDER_SPEC");
    CHECK(absl::IsInvalidArgument(sampling.status()));
  }
}

}  // namespace
}  // namespace freqstore

// The functions that the CPU and the CUDA device share.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gpu/kernels/color.h"
#include "gpu/kernels/cosine_basis.h"
#include "gpu/kernels/islow_transform.h"
#include "gpu/kernels/match_gain.h"
#include "gpu/kernels/orientation.h"
#include "gpu/kernels/triangle_filter.h"
#include "gpu/kernels/upsample.h"

namespace freqstore {
namespace {

using Catch::Approx;

TEST_CASE("the cosine basis is orthonormal at the samples of a block") {
  for (int u = 0; u < 8; ++u) {
    for (int v = 0; v < 8; ++v) {
      double product = 0;
      for (int x = 0; x < 8; ++x) product += CosineBasis(u, x + 0.5) * CosineBasis(v, x + 0.5);
      CHECK(product == Approx(u == v ? 1 : 0).margin(1e-12));
    }
  }
}

TEST_CASE("bytes are multiplied as fractions of 255, rounded") {
  for (int32_t a = 0; a < 256; ++a) {
    for (int32_t b = 0; b < 256; ++b) REQUIRE(MultiplyBytes(a, b) == std::lround(a * b / 255.0));
  }
}

TEST_CASE("a reduced block keeps its brightness") {
  for (int points = 1; points <= 8; ++points) {
    for (int u = 1; u < points; ++u) {
      double sum = 0;
      for (int i = 0; i < points; ++i) sum += CosineBasis(u, (i + 0.5) * 8 / points);
      CHECK(sum == Approx(0).margin(1e-12));
    }
  }
}

TEST_CASE("a triangle window of equal size is the sample itself") {
  for (int64_t pixel = 0; pixel < 10; ++pixel) {
    const TriangleWindow window = MakeTriangleWindow(10, 10, 10, pixel);
    CHECK(window.first == pixel);
    CHECK(window.last == pixel + 1);
  }
}

TEST_CASE("a triangle window lies in the image and weighs something") {
  for (double extent : {0.25, 0.5, 1.0, 4.5, 7.0, 100.0, 333.3333}) {
    const auto samples = static_cast<int64_t>(std::ceil(extent));
    for (int64_t resized : {1, 2, 3, 7, 50, 100, 1000}) {
      for (int64_t pixel = 0; pixel < resized; ++pixel) {
        const TriangleWindow window = MakeTriangleWindow(extent, samples, resized, pixel);
        REQUIRE(window.first >= 0);
        REQUIRE(window.last <= samples);
        REQUIRE(window.first < window.last);
        for (int64_t s = window.first; s < window.last; ++s) REQUIRE(TriangleWeight(window, s) > 0);
        REQUIRE((window.first == 0 || TriangleWeight(window, window.first - 1) == 0));
        REQUIRE((window.last == samples || TriangleWeight(window, window.last) == 0));
      }
    }
  }
}

TEST_CASE("a triangle that halves weighs 1 3 3 1") {
  const TriangleWindow window = MakeTriangleWindow(16, 16, 8, 3);
  REQUIRE(window.first == 5);
  REQUIRE(window.last == 9);
  CHECK(TriangleWeight(window, 6) == Approx(3 * TriangleWeight(window, 5)));
  CHECK(TriangleWeight(window, 7) == Approx(TriangleWeight(window, 6)));
  CHECK(TriangleWeight(window, 8) == Approx(TriangleWeight(window, 5)));
}

TEST_CASE("match gains are 1 at DC, bounded, and 1 where nothing is reduced") {
  for (int points = 1; points <= 8; ++points) {
    for (double scale : {0.5, 1.0, 1.5, 3.0, 20.0}) {
      CHECK(MatchGain(0, points, scale) == Approx(1));
      for (int u = 1; u < points; ++u) {
        CHECK(MatchGain(u, points, scale) >= 0.3);
        CHECK(MatchGain(u, points, scale) <= 1.6);
      }
    }
  }
  CHECK(MatchGain(5, 8, 1.5) == Approx(1));
  // 4 of 8 points, enlarged to where full size is reduced by 4/3: sinc(3/16 * 4/3)^2 over sinc(3/8)^2.
  CHECK(MatchGain(3, 4, 4.0 / 3) == Approx(std::pow(0.900316316 / 0.784213, 2)).epsilon(1e-3));
}

TEST_CASE("colours are converted and clamped") {
  float r = 100;
  float g = 0;
  float b = 0;
  YCbCrToRgb(r, g, b);
  CHECK((r == 100 && g == 100 && b == 100));
  g = 20;
  b = -30;
  YCbCrToRgb(r, g, b);
  CHECK(r == Approx(100 - 1.402 * 30));
  CHECK(g == Approx(100 - 0.344136 * 20 + 0.714136 * 30));
  CHECK(b == Approx(100 + 1.772 * 20));
  CHECK(ClampToByteRange(-0.5f) == 0);
  CHECK(ClampToByteRange(255.5f) == 255);
  CHECK(Normalize(300.f, 127.5f, 2.f) == 255);
}

TEST_CASE("byte colours are those of the formula, rounded") {
  for (int y = 0; y < 256; y += 5) {
    for (int cb = 0; cb < 256; cb += 3) {
      for (int cr = 0; cr < 256; cr += 3) {
        int32_t rgb[3] = {y, cb, cr};
        YCbCrToRgbBytes(rgb[0], rgb[1], rgb[2]);
        const double expected[3] = {y + 1.402 * (cr - 128),
                                    y - 0.344136286 * (cb - 128) - 0.714136286 * (cr - 128),
                                    y + 1.772 * (cb - 128)};
        for (int c = 0; c < 3; ++c) REQUIRE(std::abs(rgb[c] - std::clamp(expected[c], 0.0, 255.0)) < 0.505);
      }
    }
  }
}

TEST_CASE("every orientation is a permutation of the pixels, and each another") {
  constexpr int64_t kWidth = 3;
  constexpr int64_t kHeight = 2;
  std::set<std::pair<int64_t, int64_t>> corners;
  for (int exif = 1; exif <= 8; ++exif) {
    const Orientation orientation = OrientationFromExif(exif);
    const int64_t width = orientation.transposed ? kHeight : kWidth;
    const int64_t height = orientation.transposed ? kWidth : kHeight;
    std::set<std::pair<int64_t, int64_t>> seen;
    for (int64_t y = 0; y < height; ++y) {
      for (int64_t x = 0; x < width; ++x) {
        const PixelPosition coded = CodedPosition(orientation, kWidth, kHeight, {x, y});
        REQUIRE((coded.x >= 0 && coded.x < kWidth && coded.y >= 0 && coded.y < kHeight));
        seen.insert({coded.x, coded.y});
      }
    }
    CHECK(seen.size() == kWidth * kHeight);
    const PixelPosition origin = CodedPosition(orientation, kWidth, kHeight, {0, 0});
    corners.insert({origin.x, origin.y + (orientation.transposed ? 10 : 0)});
  }
  CHECK(corners.size() == 8);
}

TEST_CASE("orientations put the first coded pixel where EXIF says") {
  // The displayed position of the coded pixel (0, 0) of a 3 x 2 image, by EXIF 2.32's table of row 0 and
  // column 0.
  const auto coded_at = [](int exif, int64_t x, int64_t y) {
    const PixelPosition coded = CodedPosition(OrientationFromExif(exif), 3, 2, {x, y});
    return coded.x == 0 && coded.y == 0;
  };
  CHECK(coded_at(1, 0, 0));  // top left
  CHECK(coded_at(2, 2, 0));  // top right
  CHECK(coded_at(3, 2, 1));  // bottom right
  CHECK(coded_at(4, 0, 1));  // bottom left
  CHECK(coded_at(5, 0, 0));  // left top
  CHECK(coded_at(6, 1, 0));  // right top
  CHECK(coded_at(7, 1, 2));  // right bottom
  CHECK(coded_at(8, 0, 2));  // left bottom
  for (int invalid : {-1, 0, 9, 255}) CHECK(coded_at(invalid, 0, 0));
}

TEST_CASE("the integer transform of a DC coefficient is flat") {
  for (int dc : {-1024, -8, 0, 8, 100, 1016}) {
    int32_t column[8] = {dc};
    IslowColumns(column);
    int32_t row[8] = {column[3]};
    IslowRows(row);
    for (int32_t sample : row) CHECK(sample == std::clamp(((dc + 4) >> 3) + 128, 0, 255));
  }
}

TEST_CASE("linear positions align centres and stay inside") {
  const LinearPosition first = LocateLinear(0, 2, 3, 4);
  CHECK((first.low == 0 && first.high_parts == 0));
  const LinearPosition inner =
      LocateLinear(1, 2, 3, 4);  // centre 1.5 * 2/3 = 1: half way between samples 0 and 1
  CHECK((inner.low == 0 && inner.high == 1 && 2 * inner.high_parts == inner.parts));
  const LinearPosition last = LocateLinear(5, 2, 3, 4);
  CHECK((last.low == 3 && last.high == 3 && last.high_parts == 0));
  CHECK(UpsampleLinear(inner, first, {{10, 21}, {99, 99}}) == 16);
}

}  // namespace
}  // namespace freqstore

// The 8-bit loops at each instruction set against plain arithmetic.
#include "gpu/cpu/render/full_size_loops.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "gpu/kernels/color_model.h"
#include "gpu/kernels/cosine_basis.h"
#include "gpu/kernels/dequantize.h"
#include "gpu/kernels/islow_transform.h"

namespace freqstore {
namespace {

std::vector<uint8_t> RandomBytes(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() & 0xff);
  return bytes;
}

// What a plane of `blocks` values must be followed by.
constexpr size_t kSlack = CoefficientPlanes::kSlackValues;

struct Planes {
  std::vector<std::vector<int16_t>> wide{64};
  std::vector<std::vector<int8_t>> narrow{64};
  std::vector<WordFrequency> frequencies{64};
};

// Frequencies are wide, narrow or absent in turn.
Planes MakePlanes(size_t values, uint32_t seed, uint16_t quant, int range) {
  std::mt19937 random(seed);
  Planes planes;
  for (size_t n = 0; n < 64; ++n) {
    const bool narrow = n % 3 == 1;
    const int limit = range / static_cast<int>(1 + n / 8 + n % 8);
    planes.wide[n].resize(values + kSlack, 77);
    planes.narrow[n].resize(values + kSlack, 77);
    for (size_t i = 0; i < values; ++i) {
      const int value = static_cast<int>(random() % static_cast<uint32_t>(2 * limit + 1)) - limit;
      planes.wide[n][i] = narrow ? static_cast<int8_t>(value) : static_cast<int16_t>(value);
      planes.narrow[n][i] = static_cast<int8_t>(value);
    }
    CoefficientRow row;
    if (narrow) {
      row.narrow = planes.narrow[n].data();
    } else if (n % 7 != 6) {
      row.wide = planes.wide[n].data();
    } else {
      std::ranges::fill(planes.wide[n], int16_t{0});
    }
    planes.frequencies[n] = MakeWordFrequency(row, quant, kIslowInputMax, 0);
  }
  return planes;
}

size_t RoundUp(size_t count, size_t unit) {
  return (count + unit - 1) / unit * unit;
}

std::vector<uint8_t> Transform(const FullSizeLoops& loops, const Planes& planes, size_t first_block,
                               size_t blocks, size_t stride) {
  std::vector<uint8_t> out(8 * stride);
  loops.islow({.frequencies = planes.frequencies.data(),
               .first_block = first_block,
               .blocks = blocks,
               .out = out.data(),
               .out_stride = stride});
  return out;
}

TEST_CASE("the integer transform is the inverse DCT, rounded") {
  const FullSizeLoops& loops = FullSizeLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (size_t blocks : {1u, 3u, 4u, 8u, 9u, 16u, 21u, 32u, 33u, 64u}) {
    const Planes planes = MakePlanes(blocks + 5, static_cast<uint32_t>(blocks), 3, 60);
    const size_t stride = 8 * RoundUp(blocks, kFullSizeBlocks);
    const std::vector<uint8_t> out = Transform(loops, planes, 5, blocks, stride);
    for (size_t y = 0; y < 8; ++y) {
      for (size_t x = 0; x < 8 * blocks; ++x) {
        double sum = 128;
        for (size_t n = 0; n < 64; ++n) {
          sum += 3 * planes.wide[n][5 + x / 8] *
                 CosineBasis(static_cast<int>(n % 8), static_cast<double>(x % 8) + 0.5) *
                 CosineBasis(static_cast<int>(n / 8), static_cast<double>(y) + 0.5);
        }
        REQUIRE(std::abs(out[y * stride + x] - std::clamp(sum, 0.0, 255.0)) < 1.0);
      }
    }
  }
}

TEST_CASE("the integer transform is the shared one, bit for bit, whatever the values") {
  const FullSizeLoops& loops = FullSizeLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  constexpr size_t kBlocks = 64;
  constexpr size_t kStride = 8 * kBlocks;
  for (const uint16_t quant :
       std::vector<uint16_t>{1, 16, 63, 64, 65, 255, 256, 8191, 8192, 8193, 32767, 32768, 65535}) {
    for (int range : {20, 1000, 32767}) {
      const BoundedStep bounded = MakeBoundedStep(quant, kIslowInputMax);
      const Planes planes = MakePlanes(kBlocks, quant, quant, range);
      const std::vector<uint8_t> out = Transform(loops, planes, 0, kBlocks, kStride);
      for (size_t block = 0; block < kBlocks; ++block) {
        int32_t rows[8][8];
        for (size_t u = 0; u < 8; ++u) {
          int32_t column[8];
          for (size_t v = 0; v < 8; ++v)
            column[v] = Dequantize<int32_t>(planes.wide[8 * v + u][block], bounded);
          IslowColumns(column);
          for (size_t y = 0; y < 8; ++y) rows[y][u] = column[y];
        }
        for (size_t y = 0; y < 8; ++y) {
          IslowRows(rows[y]);
          for (size_t x = 0; x < 8; ++x) REQUIRE(out[y * kStride + 8 * block + x] == rows[y][x]);
        }
      }
    }
  }
}

constexpr size_t kMargin = 64;

// A row that repeats its first and last sample in its margins.
std::vector<uint8_t> RandomSamples(size_t count, uint32_t seed) {
  std::vector<uint8_t> row = RandomBytes(kMargin + RoundUp(count, kFullSizeSamples) + kMargin, seed);
  row[kMargin - 1] = row[kMargin];
  row[kMargin + count] = row[kMargin + count - 1];
  return row;
}

TEST_CASE("upsampled rows follow the 3 to 1 rule") {
  const FullSizeLoops& loops = FullSizeLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (size_t count : {3u, 4u, 15u, 16u, 17u, 64u, 101u}) {
    const std::vector<uint8_t> near_row = RandomSamples(count, 1);
    const std::vector<uint8_t> far_row = RandomSamples(count, 2);
    const uint8_t* near = near_row.data() + kMargin;
    const uint8_t* far = far_row.data() + kMargin;
    std::vector<uint8_t> out(2 * RoundUp(count, kFullSizeSamples) + 1, 77);
    const auto neighbour = [count](size_t x) {
      const size_t i = x / 2;
      return x % 2 == 1 ? std::min(i + 1, count - 1) : i - (i > 0 ? 1 : 0);
    };
    loops.upsample_h2v1(near, count, out.data());
    for (size_t x = 0; x < 2 * count; ++x) {
      REQUIRE(out[x] == (3 * near[x / 2] + near[neighbour(x)] + (x % 2 == 1 ? 2 : 1)) / 4);
    }
    loops.upsample_h2v2(near, far, count, out.data());
    for (size_t x = 0; x < 2 * count; ++x) {
      const auto sum = [&](size_t i) { return 3 * near[i] + far[i]; };
      REQUIRE(out[x] == (3 * sum(x / 2) + sum(neighbour(x)) + (x % 2 == 1 ? 7 : 8)) / 16);
    }
    CHECK(out.back() == 77);
    for (bool lower : {false, true}) {
      loops.upsample_h1v2(near, far, lower, count, out.data());
      for (size_t x = 0; x < count; ++x) REQUIRE(out[x] == (3 * near[x] + far[x] + (lower ? 2 : 1)) / 4);
    }
  }
}

const std::vector<ColorModel> kModels = {ColorModel::kGrayscale, ColorModel::kYCbCr,
                                         ColorModel::kRgb,       ColorModel::kCmyk,
                                         ColorModel::kAdobeCmyk, ColorModel::kAdobeYcck};

void CheckConverted(const FullSizeLoops& loops, ColorModel color,
                    const std::vector<std::vector<uint8_t>>& planes, size_t count, size_t room) {
  std::vector<uint8_t> rgb(room + 1, 77);
  loops.convert({.planes = {planes[0].data(), planes[1].data(), planes[2].data(), planes[3].data()},
                 .count = count,
                 .color = color,
                 .rgb = rgb.data(),
                 .room = room});
  for (size_t i = 0; i < count; ++i) {
    int32_t expected[kComponentsMax];
    for (size_t c = 0; c < kComponentsMax; ++c) expected[c] = planes[c][i];
    VisitColorModel(color, [&](auto model) { ToRgbBytes<decltype(model)::value>(expected); });
    for (size_t c = 0; c < 3; ++c) REQUIRE(rgb[3 * i + c] == expected[c]);
  }
  CHECK(rgb[room] == 77);
}

TEST_CASE("converted rows have the shared colours and end where they should") {
  const FullSizeLoops& loops = FullSizeLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (size_t count : {1u, 2u, 7u, 16u, 33u, 257u}) {
    std::vector<std::vector<uint8_t>> planes;
    for (uint32_t seed = 3; seed < 7; ++seed) planes.push_back(RandomBytes(count + kFullSizeSamples, seed));
    for (ColorModel color : kModels) {
      for (size_t room : {3 * count, 3 * count + 1, 3 * count + 191, 3 * count + 192})
        CheckConverted(loops, color, planes, count, room);
    }
  }
}

TEST_CASE("every pair of colour differences is converted as the shared arithmetic does") {
  const FullSizeLoops& loops = FullSizeLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  constexpr size_t kPairs = 65536;
  std::vector<std::vector<uint8_t>> planes(4, std::vector<uint8_t>(kPairs + kFullSizeSamples));
  for (size_t i = 0; i < kPairs; ++i) {
    planes[1][i] = static_cast<uint8_t>(i / 256);
    planes[2][i] = static_cast<uint8_t>(i % 256);
  }
  for (const uint8_t y : std::vector<uint8_t>{0, 1, 100, 128, 254, 255}) {
    std::ranges::fill(planes[0], y);
    CheckConverted(loops, ColorModel::kYCbCr, planes, kPairs, 3 * kPairs);
  }
}

}  // namespace
}  // namespace freqstore

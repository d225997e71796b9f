// The 8-bit loops at each instruction set against plain arithmetic.
#include "gpu/cpu/render/full_size_loops.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "gpu/kernels/cosine_basis.h"

namespace freqstore {
namespace {

std::vector<uint8_t> RandomBytes(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() & 0xff);
  return bytes;
}

TEST_CASE("the integer transform is the inverse DCT, rounded") {
  const FullSizeLoops& loops = FullSizeLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (size_t blocks : {1u, 3u, 4u, 8u, 9u, 16u, 21u, 64u}) {
    std::mt19937 random(static_cast<uint32_t>(blocks));
    std::vector<std::vector<int16_t>> planes(64, std::vector<int16_t>(blocks));
    IslowBlockRow row{};
    for (size_t n = 0; n < 64; ++n) {
      const auto range = static_cast<int>(60 / (1 + n / 8 + n % 8));
      for (int16_t& value : planes[n]) {
        value =
            static_cast<int16_t>(static_cast<int>(random() % static_cast<uint32_t>(2 * range + 1)) - range);
      }
      row.coefficients[n] = n == 9 ? nullptr : planes[n].data();
      row.quant[n] = 3;
    }
    std::vector<uint8_t> out(8 * 8 * blocks);
    row.blocks = blocks;
    row.out = out.data();
    row.out_stride = 8 * blocks;
    loops.islow(row);
    for (size_t y = 0; y < 8; ++y) {
      for (size_t x = 0; x < 8 * blocks; ++x) {
        double sum = 128;
        for (size_t n = 0; n < 64; ++n) {
          if (row.coefficients[n] == nullptr) continue;
          sum += 3 * planes[n][x / 8] *
                 CosineBasis(static_cast<int>(n % 8), static_cast<double>(x % 8) + 0.5) *
                 CosineBasis(static_cast<int>(n / 8), static_cast<double>(y) + 0.5);
        }
        REQUIRE(std::abs(out[y * row.out_stride + x] - std::clamp(sum, 0.0, 255.0)) < 1.0);
      }
    }
  }
}

TEST_CASE("upsampled rows follow the 3 to 1 rule") {
  const FullSizeLoops& loops = FullSizeLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (size_t count : {3u, 4u, 15u, 16u, 17u, 64u, 101u}) {
    const std::vector<uint8_t> near = RandomBytes(count, 1);
    const std::vector<uint8_t> far = RandomBytes(count, 2);
    std::vector<uint8_t> out(2 * count + 1, 77);
    const auto neighbour = [count](size_t x) {
      const size_t i = x / 2;
      return x % 2 == 1 ? std::min(i + 1, count - 1) : i - (i > 0 ? 1 : 0);
    };
    loops.upsample_h2v1(near.data(), count, out.data());
    for (size_t x = 0; x < 2 * count; ++x) {
      REQUIRE(out[x] == (3 * near[x / 2] + near[neighbour(x)] + (x % 2 == 1 ? 2 : 1)) / 4);
    }
    loops.upsample_h2v2(near.data(), far.data(), count, out.data());
    for (size_t x = 0; x < 2 * count; ++x) {
      const auto sum = [&](size_t i) { return 3 * near[i] + far[i]; };
      REQUIRE(out[x] == (3 * sum(x / 2) + sum(neighbour(x)) + (x % 2 == 1 ? 7 : 8)) / 16);
    }
    CHECK(out[2 * count] == 77);
    for (bool lower : {false, true}) {
      loops.upsample_h1v2(near.data(), far.data(), lower, count, out.data());
      for (size_t x = 0; x < count; ++x) REQUIRE(out[x] == (3 * near[x] + far[x] + (lower ? 2 : 1)) / 4);
    }
  }
}

TEST_CASE("converted rows have the JFIF colours and end where they should") {
  const FullSizeLoops& loops = FullSizeLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (size_t count : {1u, 2u, 7u, 16u, 33u, 257u}) {
    const std::vector<uint8_t> y = RandomBytes(count, 3);
    const std::vector<uint8_t> cb = RandomBytes(count, 4);
    const std::vector<uint8_t> cr = RandomBytes(count, 5);
    std::vector<uint8_t> rgb(3 * count + 1, 77);
    loops.convert({.planes = {y.data(), cb.data(), cr.data()},
                   .count = count,
                   .color = ColorModel::kYCbCr,
                   .rgb = rgb.data()});
    for (size_t i = 0; i < count; ++i) {
      const double expected[3] = {y[i] + 1.402 * (cr[i] - 128),
                                  y[i] - 0.344136286 * (cb[i] - 128) - 0.714136286 * (cr[i] - 128),
                                  y[i] + 1.772 * (cb[i] - 128)};
      for (size_t c = 0; c < 3; ++c) {
        REQUIRE(std::abs(rgb[3 * i + c] - std::clamp(expected[c], 0.0, 255.0)) < 0.51);
      }
    }
    CHECK(rgb[3 * count] == 77);
  }
}

}  // namespace
}  // namespace freqstore

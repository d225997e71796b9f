// Each loop at each instruction set against what its contract says, at counts around the vector sizes.
#include "gpu/cpu/render/render_loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "storage/base/scratch_buffer.h"

namespace freqstore {
namespace {

const std::vector<size_t> kCounts = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100};

ScratchBuffer<float> RandomFloats(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-100.f, 100.f);
  ScratchBuffer<float> buffer;
  buffer.Reserve(count);
  for (size_t i = 0; i < count; ++i) buffer.data()[i] = value(random);
  return buffer;
}

TEST_CASE("a row of blocks adds its kept frequencies to the rows it is part of") {
  const RenderLoops& loops = RenderLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  constexpr size_t kFirstBlock = 5;
  constexpr int kSideX = 5;
  constexpr int kSideY = 3;
  for (size_t columns : {16u, 48u, 64u, 80u, 128u}) {
    FrequencySet narrow;
    for (int z = 4; z < kFrequencies; ++z) narrow.Insert(z);
    FrequencySet kept_set;  // (0, 1) is a gap, u = 3 has none
    for (int z = 0; z < kFrequencies; ++z) {
      if (z != kNaturalToZigzag[8] && HorizontalFrequency(z) != 3) kept_set.Insert(z);
    }
    CoefficientPlanes planes;
    planes.Reset({static_cast<uint32_t>(columns + kFirstBlock), 1}, kept_set, narrow);
    std::vector<uint16_t> quant(kFrequencies);
    std::mt19937 random(1);
    for (int z = 0; z < kFrequencies; ++z) {
      quant[static_cast<size_t>(z)] = static_cast<uint16_t>(1 + random() % 20);
      if (!kept_set.Contains(z)) continue;
      const auto value = [&random] { return static_cast<int8_t>(random() & 0xff); };
      if (planes.IsNarrow(z)) {
        std::ranges::generate(planes.narrow_plane(z), value);
      } else {
        std::ranges::generate(planes.plane(z), value);
      }
    }
    const KeptFrequencies kept(planes, quant, kSideX, kSideY);
    const float weights[2][kSideY] = {{.5f, -.25f, 1.f}, {2.f, .125f, -1.f}};
    const size_t out_stride = kSideX * columns + kRowGroup;
    ScratchBuffer<float> out;
    out.Reserve(3 * out_stride);
    std::fill_n(out.data(), 3 * out_stride, 1000.f);
    const VerticalTerm terms[2] = {{.row = 0, .weights = 0, .add = false},
                                   {.row = 2, .weights = kSideY, .add = true}};
    loops.vertical({.kept = &kept,
                    .first_block = kFirstBlock,
                    .columns = columns,
                    .terms = terms,
                    .count = 2,
                    .weights = weights[0],
                    .out = out.data(),
                    .out_stride = out_stride});
    for (size_t row = 0; row < 2; ++row) {
      for (size_t u = 0; u < kSideX; ++u) {
        for (size_t x = 0; x < columns; ++x) {
          double expected = row == 0 ? 0 : 1000;
          for (size_t v = 0; v < kSideY; ++v) {
            const uint8_t z = kNaturalToZigzag[8 * v + u];
            if (!kept_set.Contains(z)) continue;
            expected += static_cast<double>(weights[row][v]) * planes.value(z, kFirstBlock + x) * quant[z];
          }
          REQUIRE(std::abs(out.data()[2 * row * out_stride + u * columns + x] - expected) < 1e-2);
        }
      }
    }
  }
}

TEST_CASE("an operator by lanes is the operator") {
  const RenderLoops& loops = RenderLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (uint32_t size : {1u, 9u, 100u, 131u, 500u}) {
    for (uint32_t resized : {1u, 7u, 16u, 61u, 224u, 500u}) {
      for (int side = 1; side <= kBlockSide; ++side) {
        const AxisOperator axis({.image_size = size}, {.resized = resized, .first = 0, .count = resized},
                                side);
        const LaneOperator lanes(axis, loops.lanes);
        CAPTURE(size, resized, side);
        if (size <= 3 * resized) CHECK(lanes.fits());
        if (!lanes.fits()) continue;
        const size_t columns = (axis.last_block() - axis.first_block() + 15) / 16 * 16;
        const auto u_end = static_cast<size_t>(side);
        const size_t stride = u_end * columns + kWindowMax;
        const size_t out_stride = (resized + kRowGroup - 1) / kRowGroup * kRowGroup;
        constexpr size_t kRows = 3;
        const ScratchBuffer<float> sums = RandomFloats(kRows * stride, resized);
        ScratchBuffer<float> out;
        out.Reserve(kRows * out_stride);
        loops.lane_rows({.groups = lanes.groups(),
                         .rows = kRows,
                         .sums = sums.data(),
                         .sums_stride = stride,
                         .columns = columns,
                         .out = out.data(),
                         .out_stride = out_stride});
        for (size_t r = 0; r < kRows; ++r) {
          for (size_t x = 0; x < resized; ++x) {
            const AxisOperator::Row& row = axis.rows()[x];
            double expected = 0;
            for (size_t i = 0; i < row.blocks * u_end; ++i) {
              const size_t block = row.first_block - axis.first_block() + i / u_end;
              expected += static_cast<double>(axis.weights(row)[i]) *
                          sums.data()[r * stride + i % u_end * columns + block];
            }
            REQUIRE(std::abs(out.data()[r * out_stride + x] - expected) < 1e-2);
          }
        }
      }
    }
  }
}

TEST_CASE("transpositions move every value to its place") {
  const RenderLoops& loops = RenderLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (size_t columns : {16u, 32u, 80u}) {
    const size_t in_stride = columns + 16;
    const size_t out_stride = 48;
    const ScratchBuffer<float> in = RandomFloats(kRowGroup * in_stride, 3);
    ScratchBuffer<float> out;
    out.Reserve(columns * out_stride);
    loops.rows_to_columns(in.data(), in_stride, columns, out.data(), out_stride);
    for (size_t r = 0; r < kRowGroup; ++r) {
      for (size_t c = 0; c < columns; ++c)
        REQUIRE(out.data()[c * out_stride + r] == in.data()[r * in_stride + c]);
    }
  }
  for (size_t columns : kCounts) {
    const ScratchBuffer<float> in = RandomFloats(columns * kRowGroup, 4);
    for (size_t rows = 1; rows <= kRowGroup; ++rows) {
      const size_t stride = columns + 1;
      std::vector<float> out(kRowGroup * stride, -1.f);
      loops.columns_to_rows(in.data(), columns, rows, out.data(), stride);
      for (size_t r = 0; r < kRowGroup; ++r) {
        for (size_t c = 0; c < columns; ++c) {
          REQUIRE(out[r * stride + c] == (r < rows ? in.data()[c * kRowGroup + r] : -1.f));
        }
        REQUIRE(out[r * stride + columns] == -1.f);
      }
    }
  }
}

TEST_CASE("packed pixels are rounded and clamped") {
  const RenderLoops& loops = RenderLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  ScratchBuffer<float> planes[3];
  for (ScratchBuffer<float>& plane : planes) plane.Reserve(kRowGroup);
  const float values[4] = {-200.f, -0.6f, 0.5f, 300.f};
  for (size_t i = 0; i < 4; ++i) planes[0].data()[i] = planes[1].data()[i] = planes[2].data()[i] = values[i];
  loops.pack_rgb({.planes = {planes[0].data(), planes[1].data(), planes[2].data()},
                  .count = kRowGroup,
                  .color = ColorModel::kRgb});
  const uint32_t expected[5] = {0x000000, 0x7f7f7f, 0x818181, 0xffffff, 0x808080};
  uint32_t packed[5];
  std::memcpy(packed, planes[0].data(), sizeof packed);
  for (size_t i = 0; i < 5; ++i) CHECK(packed[i] == expected[i]);
}

}  // namespace
}  // namespace freqstore

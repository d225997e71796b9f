// Each loop at each instruction set against what its contract says, at counts around the vector sizes.
#include "gpu/cpu/render/render_loops.h"

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

TEST_CASE("dequantising multiplies exactly the values asked for") {
  const RenderLoops& loops = RenderLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  for (size_t count : kCounts) {
    std::vector<int16_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<int16_t>(i * 7919 - 30000);
    ScratchBuffer<float> out;
    out.Reserve(count + 16);
    out.data()[count] = 5.f;
    loops.dequantize(values.data(), count, 3.f, out.data());
    for (size_t i = 0; i < count; ++i) REQUIRE(out.data()[i] == static_cast<float>(values[i]) * 3.f);
    REQUIRE(out.data()[count] == 5.f);
  }
}

TEST_CASE("a vertical row is the weighted sum of its blocks' kept frequencies") {
  const RenderLoops& loops = RenderLoopsFor(GENERATE(from_range(SupportedSimdLevels())));
  const KeptFrequencies kept(FrequencySet::Cut(5, 4), 5, 3);
  for (size_t columns : {16u, 48u, 64u, 80u, 128u}) {
    const ScratchBuffer<float> upper = RandomFloats(kept.size * columns, 1);
    const ScratchBuffer<float> lower = RandomFloats(kept.size * columns, 2);
    const float* rows[2] = {upper.data(), lower.data()};
    const float weights[6] = {.5f, -.25f, 1.f, 2.f, .125f, -1.f};
    ScratchBuffer<float> out;
    out.Reserve(kept.side_x * columns);
    loops.vertical({.block_rows = rows,
                    .blocks = 2,
                    .weights = weights,
                    .side = 3,
                    .kept = &kept,
                    .columns = columns,
                    .out = out.data()});
    for (size_t u = 0; u < kept.side_x; ++u) {
      for (size_t x = 0; x < columns; ++x) {
        double expected = 0;
        for (size_t b = 0; b < 2; ++b) {
          for (size_t f = kept.first[u]; f < kept.first[u + 1]; ++f) {
            expected += static_cast<double>(rows[b][f * columns + x]) * weights[b * 3 + kept.vertical[f]];
          }
        }
        REQUIRE(std::abs(out.data()[u * columns + x] - expected) < 1e-3);
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

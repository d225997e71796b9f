#include "gpu/kernels/axis_operator.h"

#include <cmath>
#include <vector>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gpu/kernels/cosine_basis.h"
#include "gpu/kernels/match_gain.h"

namespace freqstore {
namespace {

using Catch::Approx;

AxisSampling Whole(uint32_t resized) {
  return {.resized = resized, .first = 0, .count = resized};
}

// What an operator makes of the DCT of a signal of whole blocks.
std::vector<double> Apply(const AxisOperator& op, const std::vector<double>& signal) {
  std::vector<double> out;
  for (const AxisOperator::Row& row : op.rows()) {
    const std::span<const float> weights = op.weights(row);
    double sum = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      const size_t side = static_cast<size_t>(op.side());
      double coefficient = 0;
      for (size_t x = 0; x < 8; ++x) {
        coefficient += signal[(row.first_block + i / side) * 8 + x] *
                       CosineBasis(static_cast<int>(i % side), static_cast<double>(x) + 0.5);
      }
      sum += weights[i] * coefficient;
    }
    out.push_back(sum);
  }
  return out;
}

std::vector<double> Ramp(size_t count) {
  std::vector<double> ramp(count);
  for (size_t i = 0; i < count; ++i) ramp[i] = static_cast<double>(i) + 0.5;
  return ramp;
}

TEST_CASE("without a resize the operator is the inverse transform") {
  const std::vector<double> signal = {1, 5, -3, 8, 0, 2, 2, -9, 4, 4, 1, 0, 7, 6, 5, -4};
  const AxisOperator op({.image_size = 13}, Whole(13), 8);
  const std::vector<double> out = Apply(op, signal);
  REQUIRE(out.size() == 13);
  for (size_t i = 0; i < out.size(); ++i) CHECK(out[i] == Approx(signal[i]).margin(1e-5));
  for (const AxisOperator::Row& row : op.rows()) CHECK(row.blocks == 1);
}

TEST_CASE("a resized ramp is a ramp, and padding is never read") {
  for (uint32_t size : {24u, 21u, 17u}) {
    std::vector<double> signal = Ramp(24);
    for (size_t i = size; i < 24; ++i) signal[i] = 1000;
    for (uint32_t resized : {5u, 12u, 40u}) {
      const std::vector<double> out = Apply(AxisOperator({.image_size = size}, Whole(resized), 8), signal);
      const double scale = static_cast<double>(size) / resized;
      for (uint32_t i = 0; i < resized; ++i) {
        const double center = (i + 0.5) * scale;
        const double support = std::max(scale, 1.0);
        if (center - support < 0.5 || center + support > size - 0.5) {
          CHECK((out[i] > 0 && out[i] < size));
        } else {
          CHECK(out[i] == Approx(center).margin(scale * 0.26));  // a sampled triangle is not exactly centred
        }
      }
    }
  }
}

TEST_CASE("the weights of a pixel keep a constant") {
  for (const ComponentAxis& axis :
       {ComponentAxis{500, 1, 1}, ComponentAxis{375, 1, 2}, ComponentAxis{101, 2, 3}}) {
    for (uint32_t resized : {1u, 31u, 224u, 800u}) {
      const AxisOperator op(axis, Whole(resized), 6);
      for (const AxisOperator::Row& row : op.rows()) {
        double dc = 0;
        for (uint32_t b = 0; b < row.blocks; ++b) dc += op.weights(row)[b * 6];
        REQUIRE(dc * std::sqrt(8.0) == Approx(1));
      }
      CHECK(op.first_block() == 0);
      CHECK(op.last_block() == (axis.samples() + 7) / 8);
    }
  }
}

TEST_CASE("a crop and a mirror image are rows of the whole operator") {
  const ComponentAxis axis{.image_size = 77, .samp = 1, .samp_max = 2};
  const AxisOperator whole(axis, Whole(40), 5);
  const AxisOperator crop(axis, {.resized = 40, .first = 20, .count = 10}, 5);
  const AxisOperator mirrored(axis, {.resized = 40, .first = 20, .count = 10, .mirrored = true}, 5);
  for (size_t i = 0; i < 10; ++i) {
    const auto same = [&](const AxisOperator& op, const AxisOperator::Row& a, const AxisOperator::Row& b) {
      return a.first_block == b.first_block && std::ranges::equal(op.weights(a), whole.weights(b));
    };
    CHECK(same(crop, crop.rows()[i], whole.rows()[20 + i]));
    CHECK(same(mirrored, mirrored.rows()[i], whole.rows()[39 - 20 - i]));
  }
  CHECK(crop.first_block() > 0);
  CHECK(crop.last_block() < whole.last_block());
}

TEST_CASE("a reduced operator is the transform of as many points, subsampled or not") {
  for (int k = 1; k < 8; ++k) {
    const AxisSampling sampling{.resized = static_cast<uint32_t>(3 * k),
                                .count = static_cast<uint32_t>(3 * k),
                                .reduced_k = static_cast<uint8_t>(k)};
    const AxisOperator luma({.image_size = 24}, sampling, 8);
    CHECK(luma.side() == k);
    const AxisOperator chroma({.image_size = 24, .samp = 1, .samp_max = 2}, sampling, 8);
    CHECK(chroma.side() == std::min(8, 2 * k));
    for (size_t i = 0; i < luma.rows().size(); ++i) {
      CHECK(luma.rows()[i].first_block == i / static_cast<size_t>(k));
      const double t = (static_cast<double>(i % static_cast<size_t>(k)) + 0.5) * 8 / k;
      for (int u = 0; u < k; ++u) {
        CHECK(luma.weights(luma.rows()[i])[static_cast<size_t>(u)] == Approx(CosineBasis(u, t)).margin(1e-6));
      }
      const double chroma_t = (static_cast<double>(i) + 0.5) * 4 / k;
      const auto block = static_cast<uint32_t>(chroma_t / 8);
      CHECK(chroma.rows()[i].first_block == block);
      CHECK(chroma.weights(chroma.rows()[i])[0] == Approx(CosineBasis(0, 0)));
    }
  }
}

TEST_CASE("a matched operator starts from as many points as it keeps frequencies") {
  const AxisOperator op({.image_size = 64}, Whole(48), 4, BlockTransform::kMatched);
  for (const AxisOperator::Row& row : op.rows()) {
    double dc = 0;
    for (uint32_t b = 0; b < row.blocks; ++b) dc += op.weights(row)[b * 4];
    CHECK(dc * std::sqrt(8.0) == Approx(1));
  }
  // 32 points become 48 pixels: pixel 1 lies half way between the first two points.
  const AxisOperator::Row& row = op.rows()[1];
  REQUIRE(row.blocks == 1);
  const double scale = 64.0 / 48;
  for (int u = 0; u < 4; ++u) {
    const double expected = MatchGain(u, 4, scale) * (CosineBasis(u, 1) * 0.5 + CosineBasis(u, 3) * 0.5);
    CHECK(op.weights(row)[static_cast<size_t>(u)] == Approx(expected).margin(1e-6));
  }
}

TEST_CASE("component axes follow the sampling factors") {
  ImageGeometry geometry;
  geometry.width = 101;
  geometry.height = 33;
  geometry.components.resize(2);
  geometry.components[0].h_samp = 3;
  geometry.components[0].v_samp = 2;
  geometry.components[1].h_samp = 2;
  const ComponentAxis x = HorizontalAxis(geometry, 1);
  CHECK(x.extent() == Approx(101 * 2 / 3.0));
  CHECK(x.samples() == 68);
  const ComponentAxis y = VerticalAxis(geometry, 1);
  CHECK(y.extent() == Approx(16.5));
  CHECK(y.samples() == 17);
}

}  // namespace
}  // namespace freqstore

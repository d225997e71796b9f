// The fixed-point transform of few points against the cosine series.
#include "gpu/kernels/reduced_transform.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gpu/kernels/cosine_basis.h"
#include "gpu/kernels/dequantize.h"

namespace freqstore {
namespace {

template <int N>
void TransformBlock(const int32_t (&coefficients)[8][8], int32_t (&samples)[N][N]) {
  for (int u = 0; u < N; ++u) {
    int32_t column[N];
    for (int v = 0; v < N; ++v) column[v] = coefficients[v][u] * (1 << kReducedOneShift);
    ReducedTransform<N>(column);
    for (int y = 0; y < N; ++y) samples[y][u] = column[y];
  }
  for (auto& row : samples) ReducedRow<N>(row);
}

TEMPLATE_TEST_CASE_SIG("samples are the cosine series, rounded to bytes", "", ((int N), N), 1, 2, 3, 4, 5, 6,
                       7, 8) {
  std::mt19937 random(N);
  double worst = 0;
  for (int block = 0; block < 2000; ++block) {
    int32_t coefficients[8][8];
    for (int v = 0; v < N; ++v) {
      for (int u = 0; u < N; ++u) {
        const int range = 900 / (1 + 2 * (u + v));
        coefficients[v][u] = static_cast<int32_t>(random() % static_cast<uint32_t>(2 * range + 1)) - range;
      }
    }
    int32_t samples[N][N];
    TransformBlock<N>(coefficients, samples);
    for (int y = 0; y < N; ++y) {
      for (int x = 0; x < N; ++x) {
        double sum = 128;
        for (int v = 0; v < N; ++v) {
          for (int u = 0; u < N; ++u)
            sum += coefficients[v][u] * CosineBasis(u, (x + 0.5) * 8 / N) * CosineBasis(v, (y + 0.5) * 8 / N);
        }
        worst = std::max(worst, std::abs(samples[y][x] - std::clamp(sum, 0.0, 255.0)));
      }
    }
  }
  CHECK(worst < 0.65);  // of which 0.5 is rounding
}

TEMPLATE_TEST_CASE_SIG("numbers saturate and do not wrap around", "", ((int N), N), 1, 2, 3, 4, 5, 6, 7, 8) {
  int32_t coefficients[8][8] = {};
  for (const int32_t sign : {-1, 1}) {
    coefficients[0][0] = sign * kReducedInputMax;
    int32_t samples[N][N];
    TransformBlock<N>(coefficients, samples);
    for (const auto& row : samples) {
      for (const int32_t sample : row) CHECK(sample == (sign < 0 ? 0 : 255));
    }
  }
}

TEST_CASE("bounded steps keep products within the bound and values that are within it") {
  for (const int32_t magnitude_max : {kReducedInputMax, 1 << 13}) {
    for (int32_t quant = 1; quant <= 65535; ++quant) {
      const BoundedStep bounded = MakeBoundedStep(quant, magnitude_max);
      REQUIRE(bounded.value_max >= 1);
      REQUIRE(bounded.value_max * bounded.step <= magnitude_max);
      for (const int32_t value : {-32768, -1, 0, 1, 2, 32767}) {
        const int64_t exact = int64_t{value} * quant;
        const int32_t dequantized = Dequantize(value, bounded);
        REQUIRE(std::abs(dequantized) <= magnitude_max);
        REQUIRE((dequantized > 0) == (exact > 0));
        if (std::abs(exact) <= magnitude_max) REQUIRE(dequantized == exact);
      }
    }
  }
}

}  // namespace
}  // namespace freqstore

#include "gpu/kernels/interpolation.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("a ratio of 2 is libjpeg's fancy upsampling") {
  const Interpolation first = Interpolate(0, 2, 4);
  REQUIRE((first.lower == 0 && first.upper == 0));
  const Interpolation odd = Interpolate(3, 2, 4);
  REQUIRE((odd.lower == 1 && odd.upper == 2));
  REQUIRE(odd.upper_weight == Catch::Approx(0.25));
  const Interpolation even = Interpolate(4, 2, 4);
  REQUIRE((even.lower == 1 && even.upper == 2));
  REQUIRE(even.upper_weight == Catch::Approx(0.75));
  const Interpolation last = Interpolate(7, 2, 4);
  REQUIRE((last.lower == 3 && last.upper == 3));
}

TEST_CASE("a ratio of 1 is the sample itself, and no ratio leaves the samples") {
  for (int64_t i = 0; i < 5; ++i) {
    const Interpolation own = Interpolate(i, 1, 5);
    REQUIRE((own.lower == i && own.upper == i && own.upper_weight == 0));
  }
  for (const double ratio : {1.5, 3.0, 4.0}) {
    for (int64_t i = 0; i < 12; ++i) {
      const Interpolation between = Interpolate(i, ratio, 3);
      REQUIRE((between.lower >= 0 && between.upper < 3 && between.lower <= between.upper));
    }
  }
}

}  // namespace
}  // namespace freqstore

#include "storage/base/cpu_features.h"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("the best level is among the supported ones, and scalar always is") {
  const auto supported = SupportedSimdLevels();
  REQUIRE(std::find(supported.begin(), supported.end(), SimdLevel::kScalar) != supported.end());
  REQUIRE(std::find(supported.begin(), supported.end(), BestSimdLevel()) != supported.end());
}

}  // namespace
}  // namespace freqstore

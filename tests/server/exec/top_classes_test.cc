#include "server/exec/top_classes.h"

#include <cmath>
#include <limits>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("logits become softmax scores, best first, ties to the lower index") {
  const std::vector<float> logits = {1, 3, 3, -2};
  const auto top = TopClasses(logits, 3);
  REQUIRE(top.size() == 3);
  REQUIRE(top[0].class_index == 1);
  REQUIRE(top[1].class_index == 2);
  REQUIRE(top[2].class_index == 0);
  const double sum = std::exp(-2.0) + 1 + 1 + std::exp(-5.0);
  REQUIRE(top[0].score == Catch::Approx(1 / sum));
  REQUIRE(top[2].score == Catch::Approx(std::exp(-2.0) / sum));
}

TEST_CASE("a distribution is left as it is") {
  const std::vector<float> outputs = {0.25F, 0.5F, 0.25F};
  const auto top = TopClasses(outputs, 10);
  REQUIRE(top.size() == 3);
  REQUIRE(top[0].score == Catch::Approx(0.5));
}

TEST_CASE("large logits do not overflow, and NaN comes last") {
  const std::vector<float> outputs = {std::numeric_limits<float>::quiet_NaN(), 1000, 999};
  const auto top = TopClasses(outputs, 3);
  REQUIRE(top[0].class_index == 1);
  REQUIRE(top[1].class_index == 2);
  REQUIRE(top[2].class_index == 0);
}

}  // namespace
}  // namespace freqstore

#include "server/plan/cost_model.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("estimates follow what was observed, and workers share the work") {
  CostModel costs;
  WorkAmounts work;
  work.bytes = 10'000'000;
  work.values = 50'000'000;
  work.render_units = 20'000'000;
  work.model_images = 100;
  Measures actual;
  actual.storage_seconds = 0.1;
  actual.decode_seconds = 2;
  actual.render_seconds = 1;
  for (int i = 0; i < 50; ++i) costs.Observe(work, actual);

  Measures estimate;
  costs.Estimate(work, 0.01, 2, estimate);
  REQUIRE(estimate.storage_seconds == Catch::Approx(0.1).epsilon(0.01));
  REQUIRE(estimate.decode_seconds == Catch::Approx(2).epsilon(0.01));
  REQUIRE(estimate.render_seconds == Catch::Approx(1).epsilon(0.01));
  REQUIRE(estimate.model_seconds == Catch::Approx(1));
  REQUIRE(estimate.elapsed_seconds == Catch::Approx(2).epsilon(0.01));
}

TEST_CASE("a query too small to tell changes nothing") {
  CostModel costs;
  Measures before;
  WorkAmounts work;
  work.values = 1'000'000;
  costs.Estimate(work, 0, 1, before);
  WorkAmounts tiny;
  tiny.values = 10;
  Measures slow;
  slow.decode_seconds = 100;
  costs.Observe(tiny, slow);
  Measures after;
  costs.Estimate(work, 0, 1, after);
  REQUIRE(after.decode_seconds == before.decode_seconds);
}

}  // namespace
}  // namespace freqstore

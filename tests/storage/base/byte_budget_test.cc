#include "storage/base/byte_budget.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("a budget grants up to its limit, and anything when nothing is held") {
  ByteBudget budget(100);
  REQUIRE(budget.TryAcquire(60));
  REQUIRE_FALSE(budget.TryAcquire(41));
  REQUIRE(budget.TryAcquire(40));
  budget.Release(60);
  budget.Release(40);
  REQUIRE(budget.TryAcquire(1000));
  REQUIRE_FALSE(budget.TryAcquire(1));
  REQUIRE(budget.held_bytes() == 1000);
}

TEST_CASE("a hold gives its bytes back once, wherever it was moved") {
  ByteBudget budget(100);
  REQUIRE(budget.TryAcquire(70));
  {
    BudgetHold first(&budget, 70);
    BudgetHold second(std::move(first));
    BudgetHold third;
    third = std::move(second);
    REQUIRE(budget.held_bytes() == 70);
  }
  REQUIRE(budget.held_bytes() == 0);
}

}  // namespace
}  // namespace freqstore

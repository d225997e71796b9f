#include "storage/base/byte_budget.h"

#include <thread>

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

TEST_CASE("a waiting thread goes on when bytes come back, or when it is stopped") {
  ByteBudget budget(10);
  REQUIRE(budget.TryAcquire(10));
  bool granted = false;
  std::jthread waiter([&](const std::stop_token& stop) { granted = budget.Acquire(5, stop); });
  budget.Release(10);
  waiter.join();
  REQUIRE(granted);

  REQUIRE(budget.TryAcquire(5));
  std::jthread stopped([&](const std::stop_token& stop) { granted = budget.Acquire(5, stop); });
  stopped.request_stop();
  stopped.join();
  REQUIRE_FALSE(granted);
  REQUIRE(budget.held_bytes() == 10);
}

}  // namespace
}  // namespace freqstore

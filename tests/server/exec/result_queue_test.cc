#include "server/exec/result_queue.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE(
    "a queue gives rows in order, bounded in number and bytes, and its bytes back when they have left") {
  ResultQueue<int> queue(100);
  for (int i = 0; i < 4; ++i) {
    REQUIRE(queue.bound().TryAcquire(20));
    queue.Push(i, 20);
  }
  auto taken = queue.Take(10, 50, nullptr);
  REQUIRE(taken.rows == std::vector<int>{0, 1});
  REQUIRE_FALSE(taken.ended);
  REQUIRE(queue.bound().held_bytes() == 80);
  taken = {};
  REQUIRE(queue.bound().held_bytes() == 40);
  REQUIRE(queue.Take(1, 50, nullptr).rows == std::vector<int>{2});
}

TEST_CASE("an empty queue calls once when a row comes, and tells its end") {
  ResultQueue<int> queue(100);
  int calls = 0;
  const auto wake = [&] { ++calls; };
  REQUIRE(queue.Take(1, 1, wake).rows.empty());
  queue.Push(1, 0);
  queue.Push(2, 0);
  REQUIRE(calls == 1);
  queue.Close();
  REQUIRE(calls == 1);
  const auto last = queue.Take(10, 10, wake);
  REQUIRE(last.rows.size() == 2);
  REQUIRE(last.ended);
}

}  // namespace
}  // namespace freqstore

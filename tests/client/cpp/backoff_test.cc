#include "client/cpp/backoff.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore::client {
namespace {

using namespace std::chrono_literals;

constexpr RetryPolicy kPolicy{100ms, 10s, 300s};
const Backoff::Time kStart = Backoff::Time() + 1000h;

TEST_CASE("delays double up to the longest, each shortened by a half at most") {
  for (uint32_t seed = 1; seed < 50; ++seed) {
    Backoff backoff(kPolicy, seed);
    std::chrono::milliseconds longest = 100ms;
    for (int i = 0; i < 12; ++i) {
      const auto delay = backoff.Next(kStart);
      REQUIRE(delay);
      REQUIRE(*delay >= longest / 2);
      REQUIRE(*delay <= longest);
      longest = std::min<std::chrono::milliseconds>(2 * longest, 10s);
    }
  }
}

TEST_CASE("delays differ between clients") {
  Backoff one(kPolicy, 1);
  Backoff other(kPolicy, 2);
  bool differs = false;
  for (int i = 0; i < 5; ++i) differs |= one.Next(kStart) != other.Next(kStart);
  REQUIRE(differs);
}

TEST_CASE("the patience counts from the first failure, and the last try is when it ends") {
  Backoff backoff(kPolicy);
  REQUIRE(backoff.Next(kStart));
  REQUIRE(backoff.Next(kStart + 299'999ms) == 1ms);
  REQUIRE_FALSE(backoff.Next(kStart + 300s));
  REQUIRE_FALSE(backoff.Next(kStart + 400s));
}

TEST_CASE("progress starts it anew") {
  Backoff backoff(kPolicy);
  for (int i = 0; i < 10; ++i) REQUIRE(backoff.Next(kStart));
  backoff.Progressed();
  const auto delay = backoff.Next(kStart + 1000s);
  REQUIRE(delay);
  REQUIRE(*delay <= 100ms);
  REQUIRE(backoff.Next(kStart + 1299s));
}

TEST_CASE("without patience nothing is tried again") {
  Backoff backoff({100ms, 10s, 0ms});
  REQUIRE_FALSE(backoff.Next(kStart));
}

}  // namespace
}  // namespace freqstore::client

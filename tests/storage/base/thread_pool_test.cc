#include "storage/base/thread_pool.h"

#include <atomic>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("a pool runs all that was submitted before it ends, and what that submits") {
  std::atomic<int> runs = 0;
  {
    ThreadPool pool(3);
    for (int i = 0; i < 100; ++i) {
      pool.Submit([&] {
        ++runs;
        pool.Submit([&] { ++runs; });
      });
    }
  }
  REQUIRE(runs == 200);
}

}  // namespace
}  // namespace freqstore

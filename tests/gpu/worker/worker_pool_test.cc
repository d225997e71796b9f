#include "gpu/worker/worker_pool.h"

#include <atomic>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "absl/synchronization/blocking_counter.h"

namespace freqstore {
namespace {

/// Gives `tasks` tasks, each of which appends a letter to `order` and counts down.
class Letters final : public WorkSource {
 public:
  Letters(char letter, int tasks, std::string& order, absl::Mutex& mutex, absl::BlockingCounter& left)
      : letter_(letter), tasks_(tasks), order_(order), mutex_(mutex), left_(left) {}

  std::optional<Task> TryTake() override {
    if (tasks_ == 0) return std::nullopt;
    --tasks_;
    return [this](Worker&) {
      {
        absl::MutexLock lock(&mutex_);
        order_ += letter_;
      }
      left_.DecrementCount();
    };
  }

 private:
  const char letter_;
  int tasks_;  // under the pool's lock
  std::string& order_;
  absl::Mutex& mutex_;
  absl::BlockingCounter& left_;
};

TEST_CASE("sources take turns") {
  std::string order;
  absl::Mutex mutex;
  absl::BlockingCounter left(6);
  const auto a = std::make_shared<Letters>('a', 3, order, mutex, left);
  const auto b = std::make_shared<Letters>('b', 3, order, mutex, left);
  std::atomic<bool> go = false;
  WorkerPool pool(1, [&]() -> std::unique_ptr<Device> {
    while (!go) std::this_thread::yield();
    return nullptr;
  });
  pool.Add(a);
  pool.Add(b);
  go = true;
  left.Wait();
  pool.Remove(a.get());
  pool.Remove(b.get());
  absl::MutexLock lock(&mutex);
  REQUIRE(order == "ababab");
}

TEST_CASE("a source that is removed is asked no more, and every task runs once on many workers") {
  std::string order;
  absl::Mutex mutex;
  absl::BlockingCounter left(200);
  const auto source = std::make_shared<Letters>('x', 200, order, mutex, left);
  const auto removed = std::make_shared<Letters>('y', 1, order, mutex, left);
  std::atomic<bool> go = false;
  {
    WorkerPool pool(4, [&]() -> std::unique_ptr<Device> {
      while (!go) std::this_thread::yield();
      return nullptr;
    });
    REQUIRE(pool.size() == 4);
    pool.Add(removed);
    pool.Remove(removed.get());
    pool.Add(source);
    go = true;
    left.Wait();
    pool.Remove(source.get());
  }
  REQUIRE(order == std::string(200, 'x'));
}

}  // namespace
}  // namespace freqstore

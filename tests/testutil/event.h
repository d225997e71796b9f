// absl::Notification for tests: built on the standard library, whose ordering ThreadSanitizer sees in every
// build.
#pragma once

#include <condition_variable>
#include <mutex>

namespace freqstore::testutil {

/// Happens once. Thread-safe.
class Event {
 public:
  void Notify() {
    const std::lock_guard lock(mutex_);
    happened_ = true;
    condition_.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, [this] { return happened_; });
  }
  bool happened() const {
    const std::lock_guard lock(mutex_);
    return happened_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable condition_;
  bool happened_ = false;
};

}  // namespace freqstore::testutil

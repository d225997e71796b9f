// A bound on bytes in flight, shared by everything that buffers.
#pragma once

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace freqstore {

/// Counts bytes against a limit. Thread-safe.
///
/// A request larger than the whole limit is granted once nothing else is held, so a single huge image is slow
/// rather than stuck.
class ByteBudget {
 public:
  explicit ByteBudget(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ByteBudget(const ByteBudget&) = delete;
  ByteBudget& operator=(const ByteBudget&) = delete;

  /// Holds `bytes` if they fit now.
  bool TryAcquire(uint64_t bytes);

  void Release(uint64_t bytes);

  uint64_t held_bytes() const;
  uint64_t limit_bytes() const { return limit_bytes_; }

 private:
  bool Fits(uint64_t bytes) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return held_bytes_ == 0 || held_bytes_ + bytes <= limit_bytes_;
  }

  const uint64_t limit_bytes_;
  mutable absl::Mutex mutex_;
  uint64_t held_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

/// Gives held bytes back when it goes out of scope. Movable.
class BudgetHold {
 public:
  BudgetHold() = default;
  BudgetHold(ByteBudget* budget, uint64_t bytes) : budget_(budget), bytes_(bytes) {}
  BudgetHold(BudgetHold&& other) noexcept { *this = static_cast<BudgetHold&&>(other); }
  BudgetHold& operator=(BudgetHold&& other) noexcept;
  ~BudgetHold();

 private:
  ByteBudget* budget_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace freqstore

// Rows on their way to a client, bounded in bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "storage/base/byte_budget.h"

namespace freqstore {

/// Many producers, one consumer. Producers reserve bytes in bound() before they make rows; a row gives its
/// bytes back when the consumer drops what it took, so a slow client holds at most the bound. Thread-safe.
template <typename Row>
class ResultQueue {
 public:
  explicit ResultQueue(uint64_t bytes_max) : bound_(bytes_max) {}

  ByteBudget& bound() { return bound_; }

  /// Adds a row for which `reserved_bytes` are held in bound().
  void Push(Row row, uint64_t reserved_bytes) {
    std::function<void()> wake;
    {
      absl::MutexLock lock(&mutex_);
      rows_.emplace_back(std::move(row), reserved_bytes);
      wake = std::exchange(on_ready_, nullptr);
    }
    if (wake) wake();
  }

  /// No more rows come.
  void Close() {
    std::function<void()> wake;
    {
      absl::MutexLock lock(&mutex_);
      closed_ = true;
      wake = std::exchange(on_ready_, nullptr);
    }
    if (wake) wake();
  }

  struct Taken {
    std::vector<Row> rows;
    BudgetHold hold;     ///< keep it until the rows have left
    bool ended = false;  ///< nothing follows
  };

  /// Takes at most `rows_max` rows and, but for the first, `bytes_max` bytes. If there is nothing and more
  /// may come, `on_ready` is called once when that changes, from a producer's thread.
  Taken Take(size_t rows_max, uint64_t bytes_max, std::function<void()> on_ready) {
    Taken taken;
    uint64_t bytes = 0;
    absl::MutexLock lock(&mutex_);
    while (!rows_.empty() && taken.rows.size() < rows_max) {
      const uint64_t row_bytes = rows_.front().second;
      if (!taken.rows.empty() && bytes + row_bytes > bytes_max) break;
      bytes += row_bytes;
      taken.rows.push_back(std::move(rows_.front().first));
      rows_.pop_front();
    }
    taken.hold = BudgetHold(&bound_, bytes);
    taken.ended = closed_ && rows_.empty();
    if (taken.rows.empty() && !taken.ended) on_ready_ = std::move(on_ready);
    return taken;
  }

 private:
  ByteBudget bound_;
  absl::Mutex mutex_;
  std::deque<std::pair<Row, uint64_t>> rows_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::function<void()> on_ready_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace freqstore

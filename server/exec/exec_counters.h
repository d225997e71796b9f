// What a running query has cost so far.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "server/plan/measures.h"

namespace freqstore {

/// Thread-safe.
class ExecCounters {
 public:
  std::atomic<uint64_t> rows_ok{0};
  std::atomic<uint64_t> rows_failed{0};
  std::atomic<uint64_t> column_bytes{0};
  std::atomic<uint64_t> delta_bytes{0};
  std::atomic<uint64_t> result_bytes{0};
  std::atomic<int64_t> storage_ns{0};
  std::atomic<int64_t> decode_ns{0};
  std::atomic<int64_t> render_ns{0};
  std::atomic<int64_t> model_ns{0};
  std::atomic<int64_t> send_ns{0};

  Measures ToMeasures() const {
    Measures measures;
    measures.rows = rows_ok + rows_failed;
    measures.column_bytes = column_bytes;
    measures.delta_bytes = delta_bytes;
    measures.result_bytes = result_bytes;
    measures.storage_seconds = Seconds(storage_ns);
    measures.decode_seconds = Seconds(decode_ns);
    measures.render_seconds = Seconds(render_ns);
    measures.model_seconds = Seconds(model_ns);
    measures.send_seconds = Seconds(send_ns);
    measures.elapsed_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return measures;
  }

 private:
  static double Seconds(int64_t nanoseconds) { return double(nanoseconds) * 1e-9; }
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds the time from its construction to its destruction to a counter.
class StageTimer {
 public:
  explicit StageTimer(std::atomic<int64_t>& nanoseconds) : nanoseconds_(nanoseconds) {}
  ~StageTimer() { nanoseconds_ += Elapsed() - nested_; }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  friend class NestedStage;
  int64_t Elapsed() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_)
        .count();
  }

  std::atomic<int64_t>& nanoseconds_;
  int64_t nested_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A stage within another one: its time counts for it alone.
class NestedStage {
 public:
  NestedStage(StageTimer& outer, std::atomic<int64_t>& nanoseconds) : outer_(outer), timer_(nanoseconds) {}
  ~NestedStage() { outer_.nested_ += timer_.Elapsed(); }
  NestedStage(const NestedStage&) = delete;
  NestedStage& operator=(const NestedStage&) = delete;

 private:
  StageTimer& outer_;
  StageTimer timer_;
};

}  // namespace freqstore

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
  ~StageTimer() {
    nanoseconds_ +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_)
            .count();
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  std::atomic<int64_t>& nanoseconds_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace freqstore

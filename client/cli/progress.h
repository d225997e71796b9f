// A progress bar with rate and time left, on a terminal's stderr; nothing elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace freqstore::cli {

/// Thread-safe.
class Progress {
 public:
  /// `total` items are expected (0: not known), counted in `unit` ("images").
  Progress(std::string label, uint64_t total, std::string unit);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Add(uint64_t items, uint64_t bytes = 0);
  /// Makes way for other output: the bar comes back with the next Add.
  void Clear();

 private:
  void Draw();

  const std::string label_;
  const uint64_t total_;
  const std::string unit_;
  const bool visible_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  uint64_t items_ = 0;
  uint64_t bytes_ = 0;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_draw_;
};

}  // namespace freqstore::cli

// How long to wait before something that failed is tried again.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>

namespace freqstore::client {

struct RetryPolicy {
  std::chrono::milliseconds delay_first{100};
  std::chrono::milliseconds delay_max{10'000};
  /// From the first failure on, without any progress. 0: nothing is tried again.
  std::chrono::milliseconds patience{300'000};
};

/// Delays that double with every failure, each shortened by up to a half at random, so that clients of a
/// server that comes back do not come all at once. Reads no clock: callers say what time it is. Not
/// thread-safe.
class Backoff {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Backoff(const RetryPolicy& policy, uint32_t seed = std::random_device()());

  /// It failed: how long to wait before the next try; the last one is when the patience ends. nullopt: give
  /// up.
  std::optional<std::chrono::milliseconds> Next(Time now);

  /// It went on: the next failure is a first one again.
  void Progressed() { first_failure_.reset(); }

  const RetryPolicy& policy() const { return policy_; }

 private:
  const RetryPolicy policy_;
  std::minstd_rand random_;
  std::optional<Time> first_failure_;
  std::chrono::milliseconds delay_{0};
};

}  // namespace freqstore::client

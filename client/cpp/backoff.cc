#include "client/cpp/backoff.h"

#include <algorithm>

namespace freqstore::client {

using std::chrono::milliseconds;

Backoff::Backoff(const RetryPolicy& policy, uint32_t seed) : policy_(policy), random_(seed) {}

std::optional<milliseconds> Backoff::Next(Time now) {
  if (!first_failure_) {
    first_failure_ = now;
    delay_ = policy_.delay_first;
  }
  const auto left = std::chrono::ceil<milliseconds>(*first_failure_ + policy_.patience - now);
  if (left <= milliseconds(0)) return std::nullopt;
  std::uniform_int_distribution<milliseconds::rep> jittered(delay_.count() / 2, delay_.count());
  delay_ = std::min(2 * delay_, policy_.delay_max);
  return std::min(milliseconds(jittered(random_)), left);
}

}  // namespace freqstore::client

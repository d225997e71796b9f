// The time of day, as it is stored.
#pragma once

#include <chrono>
#include <cstdint>

namespace freqstore {

/// Microseconds since 1970-01-01 UTC.
inline int64_t NowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace freqstore

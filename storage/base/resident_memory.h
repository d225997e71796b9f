// How much memory the process has.
#pragma once

#include <cstdint>

namespace freqstore {

/// Bytes of the process in memory.
uint64_t ResidentBytes();

}  // namespace freqstore

// Where in one arena each buffer lies, given when it is alive.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace freqstore {

/// A buffer that is alive from step `first` to step `last`, both included.
struct BufferLifetime {
  size_t bytes = 0;
  int first = 0;
  int last = 0;
};

struct MemoryPlan {
  std::vector<size_t> offsets;  ///< of each buffer, a multiple of the alignment
  size_t bytes = 0;             ///< of the arena
};

/// Buffers that are alive at the same step do not overlap. Greedy, largest first: not optimal, close in
/// practice.
MemoryPlan PlanMemory(std::span<const BufferLifetime> buffers, size_t alignment);

}  // namespace freqstore

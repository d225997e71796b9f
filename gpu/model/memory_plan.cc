#include "gpu/model/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace freqstore {

MemoryPlan PlanMemory(std::span<const BufferLifetime> buffers, size_t alignment) {
  auto aligned = [&](size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });

  MemoryPlan plan;
  plan.offsets.resize(buffers.size());
  std::vector<size_t> placed;  // by offset
  for (size_t i : order) {
    const BufferLifetime& buffer = buffers[i];
    size_t offset = 0;
    for (size_t other : placed) {
      const bool together = buffers[other].first <= buffer.last && buffer.first <= buffers[other].last;
      if (!together) continue;
      if (offset + buffer.bytes <= plan.offsets[other]) break;
      offset = std::max(offset, aligned(plan.offsets[other] + buffers[other].bytes));
    }
    plan.offsets[i] = offset;
    plan.bytes = std::max(plan.bytes, aligned(offset + buffer.bytes));
    placed.insert(std::ranges::upper_bound(placed, offset, {}, [&](size_t p) { return plan.offsets[p]; }), i);
  }
  return plan;
}

}  // namespace freqstore

#include "gpu/model/memory_plan.h"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

void CheckPlan(const std::vector<BufferLifetime>& buffers, const MemoryPlan& plan, size_t alignment) {
  REQUIRE(plan.offsets.size() == buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    CHECK(plan.offsets[i] % alignment == 0);
    CHECK(plan.offsets[i] + buffers[i].bytes <= plan.bytes);
    for (size_t j = 0; j < i; ++j) {
      const bool together = buffers[i].first <= buffers[j].last && buffers[j].first <= buffers[i].last;
      const bool apart = plan.offsets[i] + buffers[i].bytes <= plan.offsets[j] ||
                         plan.offsets[j] + buffers[j].bytes <= plan.offsets[i];
      INFO("buffers " << i << " and " << j);
      CHECK((!together || apart));
    }
  }
}

/// The most that is alive at any step: no plan needs less.
size_t PeakBytes(const std::vector<BufferLifetime>& buffers) {
  size_t peak = 0;
  for (const BufferLifetime& at : buffers) {
    size_t alive = 0;
    for (const BufferLifetime& buffer : buffers) {
      if (buffer.first <= at.first && at.first <= buffer.last) alive += buffer.bytes;
    }
    peak = std::max(peak, alive);
  }
  return peak;
}

}  // namespace

TEST_CASE("No buffers need no memory") {
  CHECK(PlanMemory({}, 64).bytes == 0);
}

TEST_CASE("A chain of layers needs two buffers") {
  std::vector<BufferLifetime> buffers;
  for (int step = 0; step < 10; ++step) buffers.push_back({640, step, step + 1});
  const MemoryPlan plan = PlanMemory(buffers, 64);
  CheckPlan(buffers, plan, 64);
  CHECK(plan.bytes == 1280);
}

TEST_CASE("Buffers alive together do not overlap, whatever their lives") {
  uint32_t state = 7;
  auto below = [&](uint32_t limit) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % limit;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<BufferLifetime> buffers;
    const uint32_t count = 1 + below(40);
    for (uint32_t i = 0; i < count; ++i) {
      const int first = static_cast<int>(below(30));
      buffers.push_back({below(5) == 0 ? 0 : below(10'000), first, first + static_cast<int>(below(6))});
    }
    const MemoryPlan plan = PlanMemory(buffers, 64);
    CheckPlan(buffers, plan, 64);
    CHECK(plan.bytes <= 2 * PeakBytes(buffers) + 64 * buffers.size());
  }
}

}  // namespace freqstore

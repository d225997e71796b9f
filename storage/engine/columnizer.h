// Turns delta rows into segments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/cluster.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

struct FlushResult {
  uint64_t images = 0;    ///< moved from the delta
  uint64_t segments = 0;  ///< made of them
  /// Rows that could not be read, and why; they stay in the delta.
  std::vector<std::string> damaged;
};

/// Moves every delta row of `view` into segments, each in one atomic step, so that a reader sees each image
/// exactly once at any time. Images of `target` at the most are held in memory. Calls for one dataset must
/// not overlap.
absl::StatusOr<FlushResult> FlushDelta(KvStore& kv, Catalog& catalog, const DatasetView& view,
                                       const SegmentTarget& target);

}  // namespace freqstore

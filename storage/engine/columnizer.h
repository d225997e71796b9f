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

/// Moves the delta rows of a dataset into segments, each in one atomic step, so that a reader sees each image
/// exactly once at any time; those that come meanwhile perhaps, too. Holds the images of one segment in
/// memory, and the records of a few thousand. Must not overlap with another call, a compaction or a rewrite
/// of the same dataset. Whatever it was interrupted in, the next call goes on with what is left.
absl::StatusOr<FlushResult> FlushDelta(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                       const SegmentTarget& target);

}  // namespace freqstore

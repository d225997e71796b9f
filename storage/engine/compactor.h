// Rewrites segments without their deleted images, and small segments as larger ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/dataset_view.h"
#include "storage/engine/cluster.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

struct CompactionPolicy {
  /// A segment is due once this share of its images is deleted. 0: once any is.
  double deleted_share = 0.2;
  /// So many small segments that fit into one are due. A higher number rewrites an image less often.
  size_t small_segments = 4;
  SegmentTarget segment;
};

/// Segments, all of one component layout and dataset, that become one, or none if all their images are
/// deleted.
using CompactionGroup = std::vector<uint64_t>;

/// What is due in `view` by `policy`; quarantined segments are left alone. Segments of another layout than
/// the dataset's are the rewriter's.
std::vector<CompactionGroup> ChooseCompactions(const DatasetView& view, const CompactionPolicy& policy);

struct CompactionResult {
  uint64_t images = 0;      ///< that were moved
  uint64_t bytes_read = 0;  ///< columns and envelopes of the segments
};

/// Brings the images of `group` that are not deleted into one segment, in one atomic step; segments of which
/// nothing is left go before that. Must not overlap with another call, a flush or a rewrite of the same
/// dataset. NOT_FOUND (SEGMENT_NOT_FOUND) if one has gone; DATA_LOSS if an image cannot be read: then nothing
/// is changed.
absl::StatusOr<CompactionResult> Compact(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                         const CompactionGroup& group);

}  // namespace freqstore

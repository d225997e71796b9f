// Makes segments visible, in place of what their images were stored as before.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/catalog/catalog.h"
#include "storage/codec/layout.h"
#include "storage/engine/image_encoder.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// Where an image is stored so far: in a segment at an ordinal, in the delta at a row, or (both 0) nowhere.
struct ImageSource {
  uint64_t segment_id = 0;
  uint32_t ordinal = 0;
  uint64_t row = 0;

  bool is_new() const { return segment_id == 0 && row == 0; }
};

/// Writes a segment of `images`, all of one component layout, and makes it visible in one atomic step, which
/// removes their sources: delta rows, and segments as a whole, so every image of those that is not deleted
/// must be here. What happened to an image since it was read from its source, another attribute or its
/// deletion, has happened to it here too. Images that are new come with their attributes. Durable on return.
///
/// `sources` are as many as `images`; none if all are new. FAILED_PRECONDITION (LAYOUT_CHANGED) if `layout`
/// is not the dataset's, or no longer; NOT_FOUND (DATASET_NOT_FOUND, SEGMENT_NOT_FOUND) if the dataset or a
/// source has gone. Then nothing is left of the segment.
/// Gives what the catalog says of the segment.
absl::StatusOr<storage::v1::SegmentMeta> CommitSegment(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                                       Layout layout, std::span<const EncodedImage> images,
                                                       std::span<const ImageSource> sources = {});

/// Removes segments in one atomic step.
absl::Status RemoveSegments(Catalog& catalog, uint32_t dataset_id, std::span<const uint64_t> segments);

/// CommitSegment in the dataset's layout; once more if that is changed while the segment is built.
absl::Status CommitInDatasetLayout(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                   std::span<const EncodedImage> images,
                                   std::span<const ImageSource> sources = {});

}  // namespace freqstore

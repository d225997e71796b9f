// Whole segments out of single images.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/catalog/catalog.h"
#include "storage/codec/layout.h"
#include "storage/engine/image_encoder.h"
#include "storage/segment/segment_writer.h"

namespace freqstore {

/// Merges `images`, all of one component layout, into a segment.
absl::StatusOr<EncodedSegment> BuildSegment(std::span<const EncodedImage> images, Layout layout);

/// Builds, writes and makes visible a segment of `images`, which need not be in the store yet. `batch` is
/// applied in the same atomic step (the columnizer passes the removal of delta rows). The segment takes the
/// place of `replaced`, if given, which holds the same images. Durable on return. FAILED_PRECONDITION
/// (LAYOUT_CHANGED) if `layout` is not the dataset's, or no longer.
absl::Status CommitSegment(KvStore& kv, Catalog& catalog, uint32_t dataset_id, Layout layout,
                           std::span<const EncodedImage> images, KvBatch batch,
                           std::optional<uint64_t> replaced = std::nullopt);

}  // namespace freqstore

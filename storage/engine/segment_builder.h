// Whole segments out of single images.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/codec/layout.h"
#include "storage/engine/image_encoder.h"
#include "storage/kv/kv_store.h"
#include "storage/segment/segment_writer.h"

namespace freqstore {

/// Merges `images`, all of one component layout, into a segment.
absl::StatusOr<EncodedSegment> BuildSegment(std::span<const EncodedImage> images, Layout layout);

/// A segment whose columns and envelopes are in the store, but which is not in the catalog: nobody reads it,
/// and if the process ends it is swept.
struct StoredSegment {
  storage::v1::SegmentMeta meta;
  std::vector<ImageRecord> records;
};

/// Builds and writes. Durable on return.
absl::StatusOr<StoredSegment> StoreSegment(KvStore& kv, uint32_t dataset_id, uint64_t segment_id,
                                           Layout layout, std::span<const EncodedImage> images);

/// Removes what StoreSegment wrote.
absl::Status RemoveStored(KvStore& kv, uint32_t dataset_id, uint64_t segment_id);

}  // namespace freqstore

// The rows of a segment in the store.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/kv/kv_store.h"
#include "storage/segment/image_record.h"

namespace freqstore {

/// Every row of a segment, those of deleted images included. DATA_LOSS (CORRUPT_SEGMENT, CORRUPT_IMAGE_TABLE,
/// UNKNOWN_VERSION).
absl::StatusOr<std::vector<ImageRecord>> ReadImageTable(KvStore& kv, uint32_t dataset_id,
                                                        const storage::v1::SegmentMeta& segment,
                                                        const KvSnapshot* snapshot);

}  // namespace freqstore

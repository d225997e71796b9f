// Segments in whatever layout their dataset has when they become visible.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/image_encoder.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// CommitSegment in the dataset's layout; once more if that is changed while the segment is built.
absl::Status CommitInDatasetLayout(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                   std::span<const EncodedImage> images, const KvBatch& batch);

}  // namespace freqstore

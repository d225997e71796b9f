// Takes what was removed off the disk, and says when it was done.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "storage/catalog/catalog.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// Takes garbage segments of a dataset off the disk. False if a snapshot that is still open needs some: then
/// they are still garbage. Slow: what lies in the same files is rewritten.
absl::StatusOr<bool> ReclaimGarbage(KvStore& kv, Catalog& catalog, uint32_t dataset_id);

/// Takes what is left of images beside their segments (rows, attributes, the delta, logs) off the disk, for
/// the deletions whose segments are off already, and notes the time in their records. False if a snapshot
/// that is still open needs some of it. Does nothing if there are none such.
absl::StatusOr<bool> PurgeDeletions(KvStore& kv, Catalog& catalog, uint32_t dataset_id);

}  // namespace freqstore

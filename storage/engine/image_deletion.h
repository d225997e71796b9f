// Deletes images.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/image_selection.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

struct DeletionResult {
  uint64_t images = 0;
  uint64_t deletion_id = 0;          ///< of the record in the deletion log; 0 if nothing was deleted
  std::vector<std::string> missing;  ///< ids that no image had
};

/// Deletes the selected images in one atomic, durable step: queries that begin later do not see them, those
/// that run do to their end. Their bytes leave the disk later, see deletion_log.h.
absl::StatusOr<DeletionResult> DeleteImages(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                            const ImageSelection& selection);

}  // namespace freqstore

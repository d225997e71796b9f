#include "storage/engine/layout_commit.h"

#include "storage/base/status.h"
#include "storage/catalog/stored_layout.h"
#include "storage/engine/segment_builder.h"

namespace freqstore {

absl::Status CommitInDatasetLayout(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                   std::span<const EncodedImage> images, const KvBatch& batch) {
  while (true) {
    ASSIGN_OR_RETURN(const storage::v1::Layout layout, catalog.DatasetLayout(dataset_id));
    absl::Status status = CommitSegment(kv, catalog, dataset_id, LayoutOf(layout), images, batch);
    if (ReasonOf(status) != "LAYOUT_CHANGED") return status;
  }
}

}  // namespace freqstore

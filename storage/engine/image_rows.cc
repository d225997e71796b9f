#include "storage/engine/image_rows.h"

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/segment_errors.h"
#include "storage/segment/image_table.h"

namespace freqstore {

absl::StatusOr<std::vector<ImageRecord>> ReadImageTable(KvStore& kv, uint32_t dataset_id,
                                                        const storage::v1::SegmentMeta& segment,
                                                        const KvSnapshot* snapshot) {
  ASSIGN_OR_RETURN(const auto table,
                   kv.Get(Family::kCatalog, keys::ImageTable(dataset_id, segment.segment_id()), snapshot));
  if (!table) return CorruptSegment(segment.segment_id(), "its image table is gone");
  absl::StatusOr<std::vector<ImageRecord>> rows = DecodeImageTable(AsBytes(*table));
  if (!rows.ok()) return Annotate(rows.status(), fmt::format("segment {}", segment.segment_id()));
  if (rows->size() != segment.images())
    return CorruptSegment(segment.segment_id(), "its image table has another number of rows");
  return rows;
}

}  // namespace freqstore

#include "storage/catalog/dataset_view.h"

#include <algorithm>

namespace freqstore {

uint64_t ColumnBytes(const storage::v1::SegmentMeta& segment) {
  uint64_t bytes = 0;
  for (const storage::v1::ColumnMeta& column : segment.columns()) bytes += column.bytes();
  return bytes;
}

const SegmentEntry* DatasetView::FindSegment(uint64_t segment_id) const {
  const auto found = std::ranges::lower_bound(*segments, segment_id, {}, &SegmentEntry::id);
  return found != segments->end() && found->id() == segment_id ? &*found : nullptr;
}

}  // namespace freqstore

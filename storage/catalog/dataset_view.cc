#include "storage/catalog/dataset_view.h"

#include <algorithm>

namespace freqstore {

const SegmentEntry* DatasetView::FindSegment(uint64_t segment_id) const {
  const auto found = std::ranges::lower_bound(*segments, segment_id, {}, &SegmentEntry::id);
  return found != segments->end() && found->id() == segment_id ? &*found : nullptr;
}

}  // namespace freqstore

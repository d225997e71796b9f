// The layout of a dataset or a segment, as the catalog stores it.
#pragma once

#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/codec/layout.h"

namespace freqstore {

/// The numbers are the same.
inline storage::v1::Layout StoredLayout(Layout layout) {
  return static_cast<storage::v1::Layout>(layout);
}

/// What was written before there was a choice has none, and is `fast`.
inline Layout LayoutOf(storage::v1::Layout stored) {
  return stored == storage::v1::LAYOUT_UNSPECIFIED ? Layout::kFast : static_cast<Layout>(stored);
}

inline Layout LayoutOf(const storage::v1::DatasetMeta& dataset) {
  return LayoutOf(dataset.layout());
}
inline Layout LayoutOf(const storage::v1::SegmentMeta& segment) {
  return LayoutOf(segment.layout());
}

}  // namespace freqstore

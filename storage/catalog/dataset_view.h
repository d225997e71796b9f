// A dataset at one moment.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/attribute/attribute_schema.h"
#include "storage/catalog/segment_state.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// Of all columns of a segment.
uint64_t ColumnBytes(const storage::v1::SegmentMeta& segment);

/// A segment: what it was written with, and what has changed of it since. Both immutable.
struct SegmentEntry {
  std::shared_ptr<const storage::v1::SegmentMeta> meta;
  std::shared_ptr<const SegmentState> state;

  uint64_t id() const { return meta->segment_id(); }
};

/// The visible segments of a dataset, ascending by id. Immutable.
using SegmentList = std::vector<SegmentEntry>;

struct DatasetView {
  storage::v1::DatasetMeta meta;
  std::shared_ptr<const AttributeSchema> schema;
  std::shared_ptr<const SegmentList> segments;
  std::shared_ptr<const KvSnapshot> snapshot;  ///< agrees with `segments`

  /// Null if it is not there.
  const SegmentEntry* FindSegment(uint64_t segment_id) const;
};

}  // namespace freqstore

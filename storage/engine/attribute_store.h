// Attribute columns of segments in the store.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "storage/attribute/attribute_column.h"
#include "storage/attribute/attribute_schema.h"
#include "storage/catalog/segment_state.h"
#include "storage/kv/kv_store.h"
#include "storage/segment/image_record.h"

namespace freqstore {

using AttributeColumnPtr = std::shared_ptr<const AttributeColumn>;

/// Null if no image of the segment has a value. DATA_LOSS (CORRUPT_ATTRIBUTES and others of
/// AttributeColumn::Decode).
absl::StatusOr<AttributeColumnPtr> ReadAttributeColumn(KvStore& kv, uint32_t dataset_id, uint64_t segment_id,
                                                       uint32_t attribute, size_t images,
                                                       const KvSnapshot* snapshot);

/// All columns of a segment's own attributes, by number.
absl::StatusOr<std::map<uint32_t, AttributeColumnPtr>> ReadOwnAttributes(KvStore& kv, uint32_t dataset_id,
                                                                         uint64_t segment_id, size_t images,
                                                                         const KvSnapshot* snapshot);

/// The column of a system attribute.
AttributeColumn SystemColumn(std::span<const ImageRecord> images, const AttributeDef& attribute);

/// Puts a column in place of what there is, and its bounds into `state`; removes both if no image has a
/// value.
void PutAttributeColumn(uint32_t dataset_id, uint64_t segment_id, uint32_t attribute,
                        const AttributeColumn& column, KvBatch& batch, SegmentState& state);

}  // namespace freqstore

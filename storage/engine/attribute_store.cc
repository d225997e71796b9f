#include "storage/engine/attribute_store.h"

#include <utility>
#include <vector>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/system_attributes.h"

namespace freqstore {
namespace {

absl::StatusOr<AttributeColumnPtr> Decode(Bytes bytes, uint64_t segment_id, size_t images) {
  absl::StatusOr<AttributeColumn> column = AttributeColumn::Decode(bytes, images);
  if (!column.ok()) return Annotate(column.status(), fmt::format("segment {}", segment_id));
  return std::make_shared<const AttributeColumn>(*std::move(column));
}

}  // namespace

absl::StatusOr<AttributeColumnPtr> ReadAttributeColumn(KvStore& kv, uint32_t dataset_id, uint64_t segment_id,
                                                       uint32_t attribute, size_t images,
                                                       const KvSnapshot* snapshot) {
  ASSIGN_OR_RETURN(
      const auto value,
      kv.Get(Family::kAttributes, keys::AttributeColumn(dataset_id, segment_id, attribute), snapshot));
  if (!value) return nullptr;
  return Decode(AsBytes(*value), segment_id, images);
}

absl::StatusOr<std::map<uint32_t, AttributeColumnPtr>> ReadOwnAttributes(KvStore& kv, uint32_t dataset_id,
                                                                         uint64_t segment_id, size_t images,
                                                                         const KvSnapshot* snapshot) {
  std::map<uint32_t, AttributeColumnPtr> columns;
  const auto cursor = kv.Scan(Family::kAttributes, keys::SegmentRows(dataset_id, segment_id), snapshot);
  cursor->Seek(keys::AttributeColumn(dataset_id, segment_id, kFirstOwnAttribute));
  for (; cursor->Valid(); cursor->Next()) {
    ASSIGN_OR_RETURN(columns[keys::AttributeOf(cursor->key()).value_or(0)],
                     Decode(AsBytes(cursor->value()), segment_id, images));
  }
  RETURN_IF_ERROR(cursor->status());
  return columns;
}

AttributeColumn SystemColumn(std::span<const ImageRecord> images, const AttributeDef& attribute) {
  std::vector<AttributeValue> values;
  values.reserve(images.size());
  for (const ImageRecord& image : images)
    values.push_back(ValueOf(image, static_cast<SystemAttribute>(attribute.id)));
  return {attribute.type, values};
}

void PutAttributeColumn(uint32_t dataset_id, uint64_t segment_id, uint32_t attribute,
                        const AttributeColumn& column, KvBatch& batch, SegmentState& state) {
  std::string key = keys::AttributeColumn(dataset_id, segment_id, attribute);
  if (column.dictionary().empty()) {
    batch.Delete(Family::kAttributes, std::move(key));
    state.zones.erase(attribute);
    return;
  }
  batch.Put(Family::kAttributes, std::move(key), column.Encode());
  state.zones[attribute] = column.zone_map();
}

}  // namespace freqstore

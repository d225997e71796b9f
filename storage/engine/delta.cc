#include "storage/engine/delta.h"

#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_attribute.h"
#include "storage/engine/content_index.h"
#include "storage/segment/image_table.h"
#include "storage/segment/segment_reader.h"
#include "storage/segment/segment_writer.h"

namespace freqstore {
namespace {

using keys::DeltaKind;

absl::Status CorruptDelta(uint64_t row) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_DELTA", fmt::format("delta row {} is damaged", row));
}

absl::StatusOr<storage::v1::DeltaHead> ParseHead(uint64_t row, std::string_view bytes) {
  storage::v1::DeltaHead head;
  if (!head.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return CorruptDelta(row);
  return head;
}

absl::StatusOr<DeltaEntry> ToEntry(uint64_t row, const storage::v1::DeltaHead& head) {
  ASSIGN_OR_RETURN(std::vector<ImageRecord> records, DecodeImageTable(AsBytes(head.image_table())));
  if (records.size() != 1) return CorruptDelta(row);
  DeltaEntry entry{row, head.chunk_bytes(), std::move(records.front()), {}};
  for (const storage::v1::OwnAttribute& stored : head.attributes())
    entry.attributes.emplace(stored.attribute(), ValueOfStored(stored.value()));
  return entry;
}

void SetAttributes(const OwnAttributes& attributes, storage::v1::DeltaHead& head) {
  head.clear_attributes();
  for (const auto& [attribute, value] : attributes) {
    storage::v1::OwnAttribute& stored = *head.add_attributes();
    stored.set_attribute(attribute);
    *stored.mutable_value() = StoredValue(value);
  }
}

}  // namespace

absl::Status CommitDelta(Catalog& catalog, uint32_t dataset_id, std::span<const EncodedImage> images) {
  KvBatch batch;
  uint64_t row = catalog.AllocateRows(dataset_id, images.size());
  for (const EncodedImage& image : images) {
    storage::v1::DeltaChunks chunks;
    SegmentWriter writer({});
    writer.Add(image.packed);
    ASSIGN_OR_RETURN(const EncodedSegment row_segment, writer.Finish());
    for (const EncodedColumn& column : row_segment.columns) {
      storage::v1::DeltaChunk& chunk = *chunks.add_chunks();
      chunk.set_component(column.id.component);
      chunk.set_frequency(column.id.frequency);
      chunk.set_chunk(column.chunk);
    }
    std::string chunk_bytes = chunks.SerializeAsString();
    storage::v1::DeltaHead head;
    head.set_image_table(EncodeImageTable(row_segment.images));
    head.set_chunk_bytes(chunk_bytes.size());
    SetAttributes(image.attributes, head);
    storage::v1::RowLocation location;
    location.set_row(row);
    location.set_sha256(image.record().sha256);

    batch.Put(Family::kDelta, keys::Delta(dataset_id, DeltaKind::kHead, row), head.SerializeAsString());
    batch.Put(Family::kDelta, keys::Delta(dataset_id, DeltaKind::kChunks, row), std::move(chunk_bytes));
    batch.Put(Family::kDelta, keys::Delta(dataset_id, DeltaKind::kOriginal, row), image.original);
    batch.Put(Family::kRows, keys::ImageId(dataset_id, image.record().image_id),
              location.SerializeAsString());
    PutContent(dataset_id, image.record(), batch);
    ++row;
  }
  return catalog.CommitRows(dataset_id, batch);
}

absl::StatusOr<std::optional<DeltaEntry>> FindDelta(KvStore& kv, uint32_t dataset_id, uint64_t row,
                                                    const KvSnapshot* snapshot) {
  ASSIGN_OR_RETURN(const auto value,
                   kv.Get(Family::kDelta, keys::Delta(dataset_id, DeltaKind::kHead, row), snapshot));
  if (!value) return std::nullopt;
  ASSIGN_OR_RETURN(const storage::v1::DeltaHead head, ParseHead(row, *value));
  ASSIGN_OR_RETURN(DeltaEntry entry, ToEntry(row, head));
  return entry;
}

absl::Status PutDeltaAttributes(KvStore& kv, uint32_t dataset_id, uint64_t row,
                                const OwnAttributes& attributes, const KvSnapshot* snapshot, KvBatch& batch) {
  std::string key = keys::Delta(dataset_id, DeltaKind::kHead, row);
  ASSIGN_OR_RETURN(const auto value, kv.Get(Family::kDelta, key, snapshot));
  if (!value) return CorruptDelta(row);
  ASSIGN_OR_RETURN(storage::v1::DeltaHead head, ParseHead(row, *value));
  SetAttributes(attributes, head);
  batch.Put(Family::kDelta, std::move(key), head.SerializeAsString());
  return absl::OkStatus();
}

absl::StatusOr<DeltaExtent> MeasureDelta(KvStore& kv, uint32_t dataset_id, uint64_t rows_max) {
  DeltaExtent extent;
  const auto cursor = kv.Scan(Family::kDelta, keys::DeltaPrefix(dataset_id, DeltaKind::kHead));
  for (; cursor->Valid() && extent.rows < rows_max; cursor->Next()) {
    if (extent.rows++ > 0) continue;
    const uint64_t row = keys::DeltaRowOf(cursor->key()).value_or(0);
    ASSIGN_OR_RETURN(const storage::v1::DeltaHead head, ParseHead(row, cursor->value()));
    ASSIGN_OR_RETURN(const DeltaEntry entry, ToEntry(row, head));
    extent.oldest_us = entry.record.import_time_us;
  }
  RETURN_IF_ERROR(cursor->status());
  return extent;
}

absl::StatusOr<std::vector<DeltaEntry>> ListDelta(KvStore& kv, uint32_t dataset_id,
                                                  const KvSnapshot* snapshot, uint64_t first_row,
                                                  size_t rows_max) {
  std::vector<DeltaEntry> entries;
  const auto cursor = kv.Scan(Family::kDelta, keys::DeltaPrefix(dataset_id, DeltaKind::kHead), snapshot);
  cursor->Seek(keys::Delta(dataset_id, DeltaKind::kHead, first_row));
  for (; cursor->Valid() && entries.size() < rows_max; cursor->Next()) {
    const uint64_t row = keys::DeltaRowOf(cursor->key()).value_or(0);
    ASSIGN_OR_RETURN(const storage::v1::DeltaHead head, ParseHead(row, cursor->value()));
    ASSIGN_OR_RETURN(DeltaEntry entry, ToEntry(row, head));
    entries.push_back(std::move(entry));
  }
  RETURN_IF_ERROR(cursor->status());
  return entries;
}

absl::StatusOr<storage::v1::DeltaChunks> ReadDeltaChunks(KvStore& kv, uint32_t dataset_id, uint64_t row,
                                                         const KvSnapshot* snapshot) {
  ASSIGN_OR_RETURN(const auto value,
                   kv.Get(Family::kDelta, keys::Delta(dataset_id, DeltaKind::kChunks, row), snapshot));
  storage::v1::DeltaChunks chunks;
  if (!value || !chunks.ParseFromString(*value)) return CorruptDelta(row);
  for (const storage::v1::DeltaChunk& chunk : chunks.chunks()) {
    if (chunk.component() >= kComponentsMax || chunk.frequency() >= kFrequencies) return CorruptDelta(row);
  }
  return chunks;
}

absl::StatusOr<std::string> ReadDeltaOriginal(KvStore& kv, uint32_t dataset_id, uint64_t row,
                                              const KvSnapshot* snapshot) {
  ASSIGN_OR_RETURN(auto original,
                   kv.Get(Family::kDelta, keys::Delta(dataset_id, DeltaKind::kOriginal, row), snapshot));
  if (!original) return CorruptDelta(row);
  return *std::move(original);
}

absl::StatusOr<EncodedImage> ReadDeltaImage(KvStore& kv, uint32_t dataset_id, const DeltaEntry& entry,
                                            const KvSnapshot* snapshot) {
  ASSIGN_OR_RETURN(const storage::v1::DeltaChunks chunks,
                   ReadDeltaChunks(kv, dataset_id, entry.row, snapshot));
  ASSIGN_OR_RETURN(std::string original, ReadDeltaOriginal(kv, dataset_id, entry.row, snapshot));
  std::vector<ChunkView> views;
  for (const storage::v1::DeltaChunk& chunk : chunks.chunks()) {
    views.push_back({{static_cast<uint8_t>(chunk.component()), static_cast<uint16_t>(chunk.frequency())},
                     AsBytes(chunk.chunk())});
  }
  std::vector<CoefficientPlanes> components;
  RETURN_IF_ERROR(SegmentReader({&entry.record, 1}, views).DecodeImage(0, ColumnSet::All(), components));
  return EncodedImage{PackImage(entry.record, components), std::move(original), entry.attributes};
}

void RemoveDeltaRow(uint32_t dataset_id, uint64_t row, KvBatch& batch) {
  for (const DeltaKind kind : {DeltaKind::kHead, DeltaKind::kChunks, DeltaKind::kOriginal}) {
    batch.Delete(Family::kDelta, keys::Delta(dataset_id, kind, row));
  }
}

}  // namespace freqstore

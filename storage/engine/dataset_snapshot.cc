#include "storage/engine/dataset_snapshot.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/envelopes.h"
#include "storage/segment/chunk_key.h"
#include "storage/segment/image_table.h"

namespace freqstore {
namespace {

absl::Status ImageNotFound(std::string_view dataset, std::string_view image_id) {
  return MakeError(absl::StatusCode::kNotFound, "IMAGE_NOT_FOUND",
                   fmt::format("there is no image '{}' in dataset '{}'", image_id, dataset));
}

absl::Status DamagedSegment(uint64_t segment, std::string_view what) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_SEGMENT",
                   fmt::format("segment {}: {}", segment, what));
}

ColumnId ColumnOf(const storage::v1::ColumnMeta& column) {
  return {static_cast<uint8_t>(column.component()), static_cast<uint16_t>(column.frequency())};
}

}  // namespace

LoadedPart::LoadedPart(ImageRows rows, std::vector<std::unique_ptr<KvValue>> values,
                       storage::v1::DeltaChunks delta, std::span<const ColumnId> columns)
    : rows_(std::move(rows)),
      values_(std::move(values)),
      delta_(std::move(delta)),
      reader_(*rows_, Views(columns)) {}

// A chunk that is missing is left out: the reader then gives the images that need it their own error.
std::vector<ChunkView> LoadedPart::Views(std::span<const ColumnId> columns) {
  std::vector<ChunkView> views;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] == nullptr) continue;
    views.push_back({columns[i], values_[i]->bytes()});
    bytes_ += values_[i]->bytes().size();
  }
  for (const storage::v1::DeltaChunk& chunk : delta_.chunks()) {
    views.push_back({{static_cast<uint8_t>(chunk.component()), static_cast<uint16_t>(chunk.frequency())},
                     AsBytes(chunk.chunk())});
    bytes_ += chunk.chunk().size();
  }
  return views;
}

absl::StatusOr<std::shared_ptr<const DatasetSnapshot>> DatasetSnapshot::Take(KvStore* kv, DatasetView view) {
  std::shared_ptr<DatasetSnapshot> snapshot(new DatasetSnapshot(kv, std::move(view)));
  for (const auto& segment : *snapshot->view_.segments) {
    snapshot->parts_.push_back({segment, nullptr, segment->images()});
  }
  ASSIGN_OR_RETURN(std::vector<DeltaEntry> delta,
                   ListDelta(*kv, snapshot->dataset().dataset_id(), snapshot->view_.snapshot.get()));
  for (DeltaEntry& entry : delta) {
    snapshot->parts_.push_back({nullptr, std::make_shared<const DeltaEntry>(std::move(entry)), 1});
  }
  return snapshot;
}

uint64_t DatasetSnapshot::image_count() const {
  uint64_t count = 0;
  for (const Part& part : parts_) count += part.images;
  return count;
}

absl::StatusOr<ImageRows> DatasetSnapshot::ReadRows(const Part& part) const {
  if (part.in_delta()) return std::make_shared<const std::vector<ImageRecord>>(1, part.delta->record);
  const uint64_t segment = part.segment->segment_id();
  ASSIGN_OR_RETURN(
      const auto table,
      kv_->Get(Family::kCatalog, keys::ImageTable(dataset().dataset_id(), segment), view_.snapshot.get()));
  if (!table) return DamagedSegment(segment, "its image table is gone");
  absl::StatusOr<std::vector<ImageRecord>> rows = DecodeImageTable(AsBytes(*table));
  if (!rows.ok()) return Annotate(rows.status(), fmt::format("segment {}", segment));
  if (rows->size() != part.images)
    return DamagedSegment(segment, "its image table has another number of rows");
  return std::make_shared<const std::vector<ImageRecord>>(*std::move(rows));
}

uint64_t DatasetSnapshot::ColumnBytes(const Part& part, const ColumnSet& columns) const {
  if (part.in_delta()) return part.delta->chunk_bytes;
  uint64_t bytes = 0;
  for (const storage::v1::ColumnMeta& column : part.segment->columns()) {
    if (columns.Contains(ColumnOf(column))) bytes += column.bytes();
  }
  return bytes;
}

ColumnSet DatasetSnapshot::Close(const Part& part, const ColumnSet& columns) const {
  ColumnSet closed = columns;
  if (part.in_delta()) return closed;
  // Contexts precede their column in key order, so one pass from the end adds all of them.
  const auto& stored = part.segment->columns();
  for (auto column = stored.rbegin(); column != stored.rend(); ++column) {
    if (!closed.Contains(ColumnOf(*column))) continue;
    for (const uint32_t context : column->contexts()) {
      closed.Insert(
          {static_cast<uint8_t>(context / kFrequencies), static_cast<uint16_t>(context % kFrequencies)});
    }
  }
  return closed;
}

absl::StatusOr<std::shared_ptr<const LoadedPart>> DatasetSnapshot::Load(const Part& part, ImageRows rows,
                                                                        const ColumnSet& columns) const {
  const uint32_t dataset_id = dataset().dataset_id();
  if (part.in_delta()) {
    ASSIGN_OR_RETURN(storage::v1::DeltaChunks chunks,
                     ReadDeltaChunks(*kv_, dataset_id, part.delta->row, view_.snapshot.get()));
    return std::make_shared<const LoadedPart>(std::move(rows), std::vector<std::unique_ptr<KvValue>>(),
                                              std::move(chunks), std::span<const ColumnId>());
  }
  std::vector<ColumnId> wanted;
  std::vector<std::string> chunk_keys;
  for (const storage::v1::ColumnMeta& column : part.segment->columns()) {
    const ColumnId id = ColumnOf(column);
    if (!columns.Contains(id)) continue;
    wanted.push_back(id);
    chunk_keys.push_back(EncodeChunkKey({dataset_id, part.segment->segment_id(), id}));
  }
  ASSIGN_OR_RETURN(auto values, kv_->MultiGet(Family::kColumns, chunk_keys, view_.snapshot.get()));
  return std::make_shared<const LoadedPart>(std::move(rows), std::move(values), storage::v1::DeltaChunks(),
                                            wanted);
}

absl::StatusOr<DatasetSnapshot::Position> DatasetSnapshot::Find(std::string_view image_id) const {
  ASSIGN_OR_RETURN(const auto stored, kv_->Get(Family::kRows, keys::ImageId(dataset().dataset_id(), image_id),
                                               view_.snapshot.get()));
  if (!stored) return ImageNotFound(dataset().name(), image_id);
  storage::v1::RowLocation location;
  if (!location.ParseFromString(*stored)) {
    return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ROW",
                     fmt::format("the row of '{}' is damaged", image_id));
  }
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.in_delta()) {
      if (location.segment_id() == 0 && part.delta->row == location.row()) return Position{i, 0};
    } else if (part.segment->segment_id() == location.segment_id() && location.ordinal() < part.images) {
      return Position{i, location.ordinal()};
    }
  }
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ROW",
                   fmt::format("the row of '{}' points to nothing", image_id));
}

absl::StatusOr<std::vector<std::string>> DatasetSnapshot::ReadOriginals(
    const Part& part, const ImageRows& rows, std::span<const uint32_t> ordinals) const {
  const uint32_t dataset_id = dataset().dataset_id();
  if (part.in_delta()) {
    ASSIGN_OR_RETURN(std::string original,
                     ReadDeltaOriginal(*kv_, dataset_id, part.delta->row, view_.snapshot.get()));
    return std::vector<std::string>{std::move(original)};
  }
  const uint64_t segment = part.segment->segment_id();
  ASSIGN_OR_RETURN(const auto block, kv_->Get(Family::kEnvelopes, keys::EnvelopeBlock(dataset_id, segment),
                                              view_.snapshot.get()));
  if (!block) return DamagedSegment(segment, "its envelopes are gone");
  absl::StatusOr<std::vector<std::string>> originals = OpenEnvelopes(AsBytes(*block), rows->size());
  if (!originals.ok()) return Annotate(originals.status(), fmt::format("segment {}", segment));
  for (const uint32_t ordinal : ordinals) {
    if ((*rows)[ordinal].keep_reason == KeepReason::kNone) continue;
    ASSIGN_OR_RETURN(auto file, kv_->Get(Family::kEnvelopes, keys::KeptFile(dataset_id, segment, ordinal),
                                         view_.snapshot.get()));
    if (!file) return DamagedSegment(segment, fmt::format("the file of image {} is gone", ordinal));
    (*originals)[ordinal] = *std::move(file);
  }
  return originals;
}

absl::StatusOr<std::vector<std::string>> DatasetSnapshot::ListImageIds(std::string_view from,
                                                                       size_t count_max) const {
  std::vector<std::string> ids;
  const uint32_t dataset_id = dataset().dataset_id();
  const auto cursor = kv_->Scan(Family::kRows, keys::DatasetRows(dataset_id), view_.snapshot.get());
  cursor->Seek(keys::ImageId(dataset_id, from));
  for (; cursor->Valid() && ids.size() < count_max; cursor->Next())
    ids.emplace_back(keys::ImageIdOf(cursor->key()));
  RETURN_IF_ERROR(cursor->status());
  return ids;
}

}  // namespace freqstore

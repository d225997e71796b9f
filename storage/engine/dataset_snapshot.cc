#include "storage/engine/dataset_snapshot.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/envelopes.h"
#include "storage/engine/image_rows.h"
#include "storage/engine/image_selection.h"
#include "storage/engine/segment_errors.h"
#include "storage/engine/system_attributes.h"
#include "storage/segment/chunk_key.h"

namespace freqstore {
namespace {

absl::Status CheckNotQuarantined(const Part& segment) {
  const std::string& why = segment.state->quarantine;
  if (why.empty()) return absl::OkStatus();
  return MakeError(
      absl::StatusCode::kDataLoss, "SEGMENT_QUARANTINED",
      fmt::format("segment {} is damaged and not read any more: {}", segment.segment->segment_id(), why));
}

/// Whether a segment has columns of a system attribute, if any image has a value. Segments of before there
/// were attributes have none; every later one has the widths.
bool HasColumn(const Part& segment, SystemAttribute attribute) {
  return IsStoredByColumn(attribute) &&
         segment.state->zones.contains(static_cast<uint32_t>(SystemAttribute::kWidth));
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
    snapshot->parts_.push_back({segment.meta, segment.state, nullptr, segment.meta->images()});
  }
  ASSIGN_OR_RETURN(std::vector<DeltaEntry> delta,
                   ListDelta(*kv, snapshot->dataset().dataset_id(), snapshot->view_.snapshot.get()));
  for (DeltaEntry& entry : delta) {
    snapshot->parts_.push_back({nullptr, nullptr, std::make_shared<const DeltaEntry>(std::move(entry)), 1});
  }
  return snapshot;
}

uint64_t DatasetSnapshot::image_count() const {
  uint64_t count = 0;
  for (const Part& part : parts_) count += part.live_images();
  return count;
}

absl::StatusOr<ImageRows> DatasetSnapshot::ReadRows(const Part& part) const {
  if (part.in_delta()) return std::make_shared<const std::vector<ImageRecord>>(1, part.delta->record);
  ASSIGN_OR_RETURN(std::vector<ImageRecord> rows,
                   ReadImageTable(*kv_, dataset().dataset_id(), *part.segment, view_.snapshot.get()));
  return std::make_shared<const std::vector<ImageRecord>>(std::move(rows));
}

absl::StatusOr<AttributeColumnPtr> DatasetSnapshot::ReadColumn(const Part& part, uint32_t attribute) const {
  const AttributeDef& def = *schema().Find(attribute);
  if (part.in_delta()) {
    if (IsSystemAttribute(attribute))
      return std::make_shared<const AttributeColumn>(SystemColumn({&part.delta->record, 1}, def));
    const auto value = part.delta->attributes.find(attribute);
    if (value == part.delta->attributes.end()) return nullptr;
    return std::make_shared<const AttributeColumn>(def.type, std::span(&value->second, 1));
  }
  const bool from_rows =
      IsSystemAttribute(attribute) && !HasColumn(part, static_cast<SystemAttribute>(attribute));
  if (from_rows) {
    ASSIGN_OR_RETURN(const ImageRows rows, ReadRows(part));
    return std::make_shared<const AttributeColumn>(SystemColumn(*rows, def));
  }
  return ReadAttributeColumn(*kv_, dataset().dataset_id(), part.segment->segment_id(), attribute, part.images,
                             view_.snapshot.get());
}

absl::StatusOr<RowSet> DatasetSnapshot::Select(const Part& part, const Predicate& predicate) const {
  if (!part.in_delta()) {
    const ZoneMap none;
    const auto zone_of = [&](uint32_t attribute) -> const ZoneMap* {
      const auto zone = part.state->zones.find(attribute);
      if (zone != part.state->zones.end()) return &zone->second;
      const bool is_known =
          !IsSystemAttribute(attribute) || HasColumn(part, static_cast<SystemAttribute>(attribute));
      return is_known ? &none : nullptr;
    };
    switch (predicate.Check(part.images, zone_of)) {
      case Predicate::Match::kNone:
        return RowSet(part.images);
      case Predicate::Match::kAll:
        return part.live();
      case Predicate::Match::kSome:
        break;
    }
  }
  ASSIGN_OR_RETURN(RowSet rows, predicate.Select(part.images, [&](uint32_t attribute) {
    return ReadColumn(part, attribute);
  }));
  rows &= part.live();
  return rows;
}

absl::Status DatasetSnapshot::ReadAllAttributes(const Part& part) const {
  if (part.in_delta()) return absl::OkStatus();
  for (const auto& [attribute, zone] : part.state->zones) {
    ASSIGN_OR_RETURN(const AttributeColumnPtr column, ReadColumn(part, attribute));
    if (column == nullptr || column->zone_map() != zone)
      return CorruptSegment(part.segment->segment_id(),
                            fmt::format("attribute {} is not what its bounds say", attribute));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::map<uint32_t, AttributeColumnPtr>> DatasetSnapshot::ReadAttributes(
    const Part& part) const {
  if (!part.in_delta()) {
    return ReadOwnAttributes(*kv_, dataset().dataset_id(), part.segment->segment_id(), part.images,
                             view_.snapshot.get());
  }
  std::map<uint32_t, AttributeColumnPtr> columns;
  for (const auto& [attribute, value] : part.delta->attributes) {
    ASSIGN_OR_RETURN(columns[attribute], ReadColumn(part, attribute));
  }
  return columns;
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
  RETURN_IF_ERROR(CheckNotQuarantined(part));
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
  ASSIGN_OR_RETURN(const ImageLocation location, LocateImage(*kv_, view_, image_id));
  const std::span<const SegmentEntry> segments = *view_.segments;
  if (location.segment_id != 0) {
    const SegmentEntry* segment = view_.FindSegment(location.segment_id);
    return Position{static_cast<size_t>(segment - segments.data()), location.ordinal};
  }
  const auto delta = parts().subspan(segments.size());
  const auto found =
      std::ranges::lower_bound(delta, location.row, {}, [](const Part& part) { return part.delta->row; });
  if (found != delta.end() && found->delta->row == location.row)
    return Position{segments.size() + static_cast<size_t>(found - delta.begin()), 0};
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
  RETURN_IF_ERROR(CheckNotQuarantined(part));
  const uint64_t segment = part.segment->segment_id();
  ASSIGN_OR_RETURN(const auto block, kv_->Get(Family::kEnvelopes, keys::EnvelopeBlock(dataset_id, segment),
                                              view_.snapshot.get()));
  if (!block) return CorruptSegment(segment, "its envelopes are gone");
  absl::StatusOr<std::vector<std::string>> originals = OpenEnvelopes(AsBytes(*block), rows->size());
  if (!originals.ok()) return Annotate(originals.status(), fmt::format("segment {}", segment));
  for (const uint32_t ordinal : ordinals) {
    if ((*rows)[ordinal].keep_reason == KeepReason::kNone) continue;
    ASSIGN_OR_RETURN(auto file, kv_->Get(Family::kEnvelopes, keys::KeptFile(dataset_id, segment, ordinal),
                                         view_.snapshot.get()));
    if (!file) return CorruptSegment(segment, fmt::format("the file of image {} is gone", ordinal));
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

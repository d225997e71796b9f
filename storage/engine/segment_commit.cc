#include "storage/engine/segment_commit.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_layout.h"
#include "storage/engine/attribute_store.h"
#include "storage/engine/content_index.h"
#include "storage/engine/deletion_log.h"
#include "storage/engine/delta.h"
#include "storage/engine/segment_builder.h"
#include "storage/engine/segment_errors.h"
#include "storage/engine/system_attributes.h"
#include "storage/segment/image_table.h"

namespace freqstore {
namespace {

absl::Status LayoutChanged(std::string_view dataset) {
  return MakeError(absl::StatusCode::kFailedPrecondition, "LAYOUT_CHANGED",
                   fmt::format("dataset '{}' has another layout by now", dataset));
}

/// What the images of a segment to be are now: attributes, and whether they are still there.
struct CurrentImages {
  std::vector<OwnAttributes> attributes;
  RowSet deleted;
};

/// Reads the present of images from where they are stored so far.
class SourceReader {
 public:
  SourceReader(KvStore& kv, const DatasetView& view) : kv_(kv), view_(view) {}

  absl::StatusOr<CurrentImages> Read(std::span<const EncodedImage> images,
                                     std::span<const ImageSource> sources) {
    CurrentImages current{std::vector<OwnAttributes>(images.size()), RowSet(images.size())};
    for (size_t i = 0; i < images.size(); ++i) {
      absl::StatusOr<bool> is_there = true;
      if (sources.empty() || sources[i].is_new()) {
        current.attributes[i] = images[i].attributes;
      } else if (sources[i].segment_id != 0) {
        is_there = ReadFromSegment(sources[i], current.attributes[i]);
      } else {
        is_there = ReadFromDelta(sources[i], current.attributes[i]);
      }
      RETURN_IF_ERROR(is_there.status());
      if (!*is_there) current.deleted.Insert(i);
    }
    return current;
  }

 private:
  absl::StatusOr<bool> ReadFromSegment(const ImageSource& source, OwnAttributes& attributes) {
    const SegmentEntry* segment = view_.FindSegment(source.segment_id);
    if (segment == nullptr) return SegmentNotFound(source.segment_id);
    if (segment->state->deleted.Contains(source.ordinal)) return false;
    auto found = columns_.find(source.segment_id);
    if (found == columns_.end()) {
      ASSIGN_OR_RETURN(auto columns, ReadOwnAttributes(kv_, view_.meta.dataset_id(), source.segment_id,
                                                       segment->meta->images(), view_.snapshot.get()));
      found = columns_.emplace(source.segment_id, std::move(columns)).first;
    }
    for (const auto& [attribute, column] : found->second) {
      AttributeValue value = column->value(source.ordinal);
      if (IsPresent(value)) attributes.emplace(attribute, std::move(value));
    }
    return true;
  }

  absl::StatusOr<bool> ReadFromDelta(const ImageSource& source, OwnAttributes& attributes) {
    ASSIGN_OR_RETURN(auto entry, FindDelta(kv_, view_.meta.dataset_id(), source.row, view_.snapshot.get()));
    if (!entry) return false;
    attributes = std::move(entry->attributes);
    return true;
  }

  KvStore& kv_;
  const DatasetView& view_;
  std::map<uint64_t, std::map<uint32_t, AttributeColumnPtr>> columns_;
};

void PutColumns(uint32_t dataset_id, uint64_t segment_id, std::span<const ImageRecord> records,
                const AttributeSchema& schema, const std::vector<OwnAttributes>& attributes, KvBatch& batch,
                SegmentState& state) {
  for (const AttributeDef& def : SystemAttributes()) {
    if (IsStoredByColumn(static_cast<SystemAttribute>(def.id)))
      PutAttributeColumn(dataset_id, segment_id, def.id, SystemColumn(records, def), batch, state);
  }
  std::map<uint32_t, std::vector<AttributeValue>> own;
  for (size_t i = 0; i < attributes.size(); ++i) {
    for (const auto& [attribute, value] : attributes[i]) {
      std::vector<AttributeValue>& values = own[attribute];
      values.resize(attributes.size());
      values[i] = value;
    }
  }
  for (const auto& [attribute, values] : own) {
    if (const AttributeDef* def = schema.Find(attribute); def != nullptr)
      PutAttributeColumn(dataset_id, segment_id, attribute, AttributeColumn(def->type, values), batch, state);
  }
}

void PutLocations(uint32_t dataset_id, uint64_t segment_id, std::span<const ImageRecord> records,
                  const RowSet& deleted, KvBatch& batch) {
  for (uint32_t ordinal = 0; ordinal < records.size(); ++ordinal) {
    if (deleted.Contains(ordinal)) continue;
    storage::v1::RowLocation location;
    location.set_segment_id(segment_id);
    location.set_ordinal(ordinal);
    location.set_sha256(records[ordinal].sha256);
    batch.Put(Family::kRows, keys::ImageId(dataset_id, records[ordinal].image_id),
              location.SerializeAsString());
  }
}

void RemoveSources(std::span<const ImageSource> sources, DatasetTransaction& transaction) {
  std::set<uint64_t> segments;
  for (const ImageSource& source : sources) {
    if (source.segment_id != 0) segments.insert(source.segment_id);
    if (source.row != 0) RemoveDeltaRow(transaction.dataset_id(), source.row, transaction.batch());
  }
  for (const uint64_t segment : segments) transaction.RemoveSegment(segment);
  // Moving images leads to space being freed, so it may use what is kept for that.
  if (!sources.empty()) transaction.batch().set_frees_space();
}

absl::Status Publish(KvStore& kv, const StoredSegment& stored, std::span<const EncodedImage> images,
                     std::span<const ImageSource> sources, DatasetTransaction& transaction) {
  const DatasetView& view = transaction.view();
  if (LayoutOf(stored.meta) != LayoutOf(view.meta)) return LayoutChanged(view.meta.name());
  ASSIGN_OR_RETURN(CurrentImages current, SourceReader(kv, view).Read(images, sources));
  RemoveSources(sources, transaction);
  const uint32_t dataset_id = transaction.dataset_id();
  const uint64_t segment_id = stored.meta.segment_id();
  SegmentState state(images.size());
  current.deleted.ForEach([&](size_t i) { state.deleted_file_bytes += stored.records[i].file_bytes; });
  KvBatch& batch = transaction.batch();
  batch.Put(Family::kCatalog, keys::ImageTable(dataset_id, segment_id), EncodeImageTable(stored.records));
  PutColumns(dataset_id, segment_id, stored.records, *view.schema, current.attributes, batch, state);
  PutLocations(dataset_id, segment_id, stored.records, current.deleted, batch);
  for (size_t i = 0; i < images.size(); ++i) {
    if (sources.empty() || sources[i].is_new()) PutContent(dataset_id, stored.records[i], batch);
  }
  if (!current.deleted.empty()) RETURN_IF_ERROR(MoveDeletions(kv, sources, segment_id, transaction));
  state.deleted = std::move(current.deleted);
  transaction.AddSegment(stored.meta, std::move(state));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<storage::v1::SegmentMeta> CommitSegment(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                                       Layout layout, std::span<const EncodedImage> images,
                                                       std::span<const ImageSource> sources) {
  ASSIGN_OR_RETURN(const StoredSegment stored,
                   StoreSegment(kv, dataset_id, catalog.AllocateSegment(dataset_id), layout, images));
  const absl::Status status = catalog.Transact(dataset_id, [&](DatasetTransaction& transaction) {
    return Publish(kv, stored, images, sources, transaction);
  });
  // Whether a write that failed is in the log is not known: what it may have made visible must stay.
  const bool is_refused = absl::IsNotFound(status) || absl::IsFailedPrecondition(status);
  if (is_refused) RETURN_IF_ERROR(RemoveStored(kv, dataset_id, stored.meta.segment_id()));
  RETURN_IF_ERROR(status);
  return stored.meta;
}

absl::Status RemoveSegments(Catalog& catalog, uint32_t dataset_id, std::span<const uint64_t> segments) {
  return catalog.Transact(dataset_id, [&](DatasetTransaction& transaction) {
    for (const uint64_t segment : segments) transaction.RemoveSegment(segment);
    return absl::OkStatus();
  });
}

absl::Status CommitInDatasetLayout(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                   std::span<const EncodedImage> images,
                                   std::span<const ImageSource> sources) {
  while (true) {
    ASSIGN_OR_RETURN(const storage::v1::Layout layout, catalog.DatasetLayout(dataset_id));
    const auto made = CommitSegment(kv, catalog, dataset_id, LayoutOf(layout), images, sources);
    if (ReasonOf(made.status()) != "LAYOUT_CHANGED") return made.status();
  }
}

}  // namespace freqstore

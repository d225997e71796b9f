// A consistent read of one dataset: its parts, their rows, and any projection of their columns.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/attribute/predicate.h"
#include "storage/base/row_set.h"
#include "storage/catalog/dataset_view.h"
#include "storage/codec/column.h"
#include "storage/engine/attribute_store.h"
#include "storage/engine/delta.h"
#include "storage/kv/kv_store.h"
#include "storage/segment/segment_reader.h"

namespace freqstore {

using ImageRows = std::shared_ptr<const std::vector<ImageRecord>>;

/// What is read as one: a segment, or one image of the delta.
struct Part {
  std::shared_ptr<const storage::v1::SegmentMeta> segment;  ///< null for the delta
  std::shared_ptr<const SegmentState> state;                ///< the same
  std::shared_ptr<const DeltaEntry> delta;                  ///< null for a segment
  uint32_t images = 1;                                      ///< rows, those of deleted images included

  bool in_delta() const { return segment == nullptr; }
  RowSet live() const { return in_delta() ? RowSet(1, true) : state->deleted.Complement(); }
  uint32_t live_images() const {
    return in_delta() ? 1 : images - static_cast<uint32_t>(state->deleted.count());
  }
};

/// The columns of a part in memory. Immutable, thread-safe.
class LoadedPart {
 public:
  LoadedPart(ImageRows rows, std::vector<std::unique_ptr<KvValue>> values, storage::v1::DeltaChunks delta,
             std::span<const ColumnId> columns);
  LoadedPart(const LoadedPart&) = delete;
  LoadedPart& operator=(const LoadedPart&) = delete;

  const SegmentReader& reader() const { return reader_; }
  uint64_t bytes() const { return bytes_; }

 private:
  std::vector<ChunkView> Views(std::span<const ColumnId> columns);

  // What the reader looks at.
  ImageRows rows_;
  std::vector<std::unique_ptr<KvValue>> values_;
  storage::v1::DeltaChunks delta_;
  uint64_t bytes_ = 0;
  SegmentReader reader_;
};

/// Immutable, thread-safe. Reads see the dataset as it was when the snapshot was taken, whatever happens
/// since.
class DatasetSnapshot {
 public:
  static absl::StatusOr<std::shared_ptr<const DatasetSnapshot>> Take(KvStore* kv, DatasetView view);

  const storage::v1::DatasetMeta& dataset() const { return view_.meta; }
  /// Segments first, in the order of their ids, then the delta.
  std::span<const Part> parts() const { return parts_; }
  uint64_t image_count() const;
  const AttributeSchema& schema() const { return *view_.schema; }

  /// Every row of the part, also those of deleted images.
  absl::StatusOr<ImageRows> ReadRows(const Part& part) const;

  /// The rows that match and are not deleted. Reads the attributes that `predicate` is about, unless the
  /// bounds of the part's values decide.
  absl::StatusOr<RowSet> Select(const Part& part, const Predicate& predicate) const;

  /// Reads every column of attributes, to see whether it can be.
  absl::Status ReadAllAttributes(const Part& part) const;

  /// The values of the dataset's own attributes, by number; one element a row.
  absl::StatusOr<std::map<uint32_t, AttributeColumnPtr>> ReadAttributes(const Part& part) const;

  /// Bytes that Load will read for `columns`, from the catalog; `columns` are closed.
  uint64_t ColumnBytes(const Part& part, const ColumnSet& columns) const;

  /// `columns` and every column that must be decoded before them in this part.
  ColumnSet Close(const Part& part, const ColumnSet& columns) const;

  /// Reads the chunks of `columns` (closed). Columns that no image of the part has are passed over.
  absl::StatusOr<std::shared_ptr<const LoadedPart>> Load(const Part& part, ImageRows rows,
                                                         const ColumnSet& columns) const;

  struct Position {
    size_t part;
    uint32_t ordinal;
  };
  /// NOT_FOUND (IMAGE_NOT_FOUND).
  absl::StatusOr<Position> Find(std::string_view image_id) const;

  /// What gives the original files of a part back, one element a row of `rows`: an envelope, or the whole
  /// file where the row says so. Only those of `ordinals` (ascending) are read; the others are empty.
  absl::StatusOr<std::vector<std::string>> ReadOriginals(const Part& part, const ImageRows& rows,
                                                         std::span<const uint32_t> ordinals) const;

  /// Ids in byte order, from the first that is not below `from`.
  absl::StatusOr<std::vector<std::string>> ListImageIds(std::string_view from, size_t count_max) const;

 private:
  DatasetSnapshot(KvStore* kv, DatasetView view) : kv_(kv), view_(std::move(view)) {}
  absl::StatusOr<AttributeColumnPtr> ReadColumn(const Part& part, uint32_t attribute) const;

  KvStore* const kv_;
  DatasetView view_;
  std::vector<Part> parts_;
};

}  // namespace freqstore

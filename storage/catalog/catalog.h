// What the store holds: datasets, their segments, models. Kept in memory, written through to the `catalog`
// family.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

inline constexpr uint32_t kStoreFormatMajor = 2;  ///< 1 was never released: its chunks were of version 1
inline constexpr uint32_t kStoreFormatMinor = 0;

/// The visible segments of a dataset at one moment, ascending by id. Immutable.
using SegmentList = std::vector<std::shared_ptr<const storage::v1::SegmentMeta>>;

/// A dataset at one moment.
struct DatasetView {
  storage::v1::DatasetMeta meta;
  std::shared_ptr<const SegmentList> segments;
  std::shared_ptr<const KvSnapshot> snapshot;  ///< agrees with `segments`
};

/// Thread-safe.
class Catalog {
 public:
  /// Loads the catalog of a store, or starts one in an empty store, and removes what an interrupted import or
  /// delete left behind. FAILED_PRECONDITION (NEWER_FORMAT, OLDER_FORMAT) if the store is of a format that
  /// cannot be read.
  static absl::StatusOr<std::unique_ptr<Catalog>> Open(KvStore* kv);

  /// INVALID_ARGUMENT (INVALID_NAME), ALREADY_EXISTS (DATASET_EXISTS).
  absl::StatusOr<storage::v1::DatasetMeta> CreateDataset(std::string_view name, storage::v1::Layout layout);
  /// NOT_FOUND (DATASET_NOT_FOUND).
  absl::StatusOr<storage::v1::DatasetMeta> FindDataset(std::string_view name) const;
  std::vector<storage::v1::DatasetMeta> Datasets() const;  ///< by name
  absl::Status DeleteDataset(std::string_view name);

  /// From here on no segment of another layout appears; those that are there stay as they are.
  absl::Status SetLayout(uint32_t dataset_id, storage::v1::Layout layout);
  /// NOT_FOUND if the dataset has gone.
  absl::StatusOr<storage::v1::Layout> DatasetLayout(uint32_t dataset_id) const;

  absl::StatusOr<DatasetView> View(std::string_view name) const;

  uint64_t AllocateSegment(uint32_t dataset_id);
  /// The first of `count` numbers for delta rows.
  uint64_t AllocateRows(uint32_t dataset_id, uint64_t count);

  /// Makes a segment visible together with `batch`, atomically and durably. In the same step the segment
  /// `replaced`, if given, goes with everything it holds. NOT_FOUND (DATASET_NOT_FOUND, SEGMENT_NOT_FOUND)
  /// if the dataset or `replaced` has gone, FAILED_PRECONDITION (LAYOUT_CHANGED) if the segment's layout is
  /// not the dataset's.
  absl::Status CommitSegment(uint32_t dataset_id, storage::v1::SegmentMeta segment, KvBatch batch,
                             std::optional<uint64_t> replaced = std::nullopt);
  /// Applies changes to rows of a dataset. NOT_FOUND if the dataset has gone.
  absl::Status CommitRows(uint32_t dataset_id, const KvBatch& batch) const;

  absl::Status PutModel(const storage::v1::ModelMeta& model, std::string file);
  /// NOT_FOUND (MODEL_NOT_FOUND).
  absl::StatusOr<storage::v1::ModelMeta> FindModel(std::string_view name) const;
  absl::StatusOr<std::string> ModelFile(std::string_view name) const;
  std::vector<storage::v1::ModelMeta> Models() const;  ///< by name
  absl::Status DeleteModel(std::string_view name);

 private:
  struct Dataset {
    storage::v1::DatasetMeta meta;
    std::shared_ptr<const SegmentList> segments = std::make_shared<SegmentList>();
    uint64_t next_segment = 1;
    uint64_t next_row = 1;
  };

  explicit Catalog(KvStore* kv) : kv_(kv) {}
  absl::Status Load();
  absl::Status LoadDataset(storage::v1::DatasetMeta meta);
  absl::Status SweepOrphans(Dataset& dataset);
  Dataset* FindById(uint32_t dataset_id) ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  const Dataset* FindById(uint32_t dataset_id) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  KvStore* const kv_;
  // Held shared while rows are written and views are taken, exclusively while a segment or dataset appears or
  // goes: a view's segments and snapshot therefore agree, and nothing is written to a dataset that has gone.
  mutable absl::Mutex mutex_;
  storage::v1::StoreMeta store_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Dataset, std::less<>> datasets_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, storage::v1::ModelMeta, std::less<>> models_ ABSL_GUARDED_BY(mutex_);
};

/// OK if `name` may name a resource: 1 to 63 of a-z A-Z 0-9 . _ -, the first a letter or digit. `what` is for
/// the message.
absl::Status CheckName(std::string_view what, std::string_view name);

}  // namespace freqstore

// What the store holds: datasets, their segments, models. Kept in memory, written through to the `catalog`
// family.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/attribute/attribute_schema.h"
#include "storage/catalog/dataset_transaction.h"
#include "storage/catalog/dataset_view.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

inline constexpr uint32_t kStoreFormatMajor = 2;  ///< 1 was never released: its chunks were of version 1
inline constexpr uint32_t kStoreFormatMinor = 1;  ///< 1: attributes, deletions

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
  /// NOT_FOUND if the dataset has gone.
  absl::StatusOr<DatasetView> View(uint32_t dataset_id) const;

  /// The schema of the dataset's attributes. NOT_FOUND if the dataset has gone.
  absl::StatusOr<std::shared_ptr<const AttributeSchema>> Schema(uint32_t dataset_id) const;
  /// The same with an attribute `name`, which is added if there is none. INVALID_ARGUMENT
  /// (RESERVED_ATTRIBUTE_NAME, INVALID_ATTRIBUTE_NAME), RESOURCE_EXHAUSTED (TOO_MANY_ATTRIBUTES).
  absl::StatusOr<std::shared_ptr<const AttributeSchema>> EnsureAttribute(uint32_t dataset_id,
                                                                         std::string_view name,
                                                                         AttributeType type);

  uint64_t AllocateSegment(uint32_t dataset_id);
  /// The first of `count` numbers for delta rows.
  uint64_t AllocateRows(uint32_t dataset_id, uint64_t count);

  /// Calls `change` with a transaction, one at a time for a dataset, and applies what it holds, atomically
  /// and durably, unless `change` fails. Queries and imports go on meanwhile. NOT_FOUND (DATASET_NOT_FOUND)
  /// if the dataset has gone.
  absl::Status Transact(uint32_t dataset_id, absl::FunctionRef<absl::Status(DatasetTransaction&)> change);

  /// Adds rows to the delta of a dataset; calls at the same time share a write of the log. NOT_FOUND if the
  /// dataset has gone.
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
    std::shared_ptr<const AttributeSchema> schema = std::make_shared<AttributeSchema>();
    std::shared_ptr<const SegmentList> segments = std::make_shared<SegmentList>();
    std::shared_ptr<absl::Mutex> writer = std::make_shared<absl::Mutex>();  // held by a transaction
    uint64_t next_segment = 1;
    uint64_t next_row = 1;
  };

  explicit Catalog(KvStore* kv) : kv_(kv) {}
  absl::Status Load();
  absl::Status LoadDataset(storage::v1::DatasetMeta meta);
  absl::Status LoadSegments(Dataset& dataset);
  absl::Status SweepOrphans(Dataset& dataset);
  absl::Status Apply(DatasetTransaction& transaction);
  DatasetView ViewOf(const Dataset& dataset) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
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

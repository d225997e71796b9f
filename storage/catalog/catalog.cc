#include "storage/catalog/catalog.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "storage/base/clock.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_attribute.h"

namespace freqstore {
namespace {

constexpr std::array kRowFamilies = {Family::kDelta, Family::kColumns, Family::kEnvelopes, Family::kRows,
                                     Family::kAttributes};

absl::Status DatasetNotFound(std::string_view name) {
  return MakeError(
      absl::StatusCode::kNotFound, "DATASET_NOT_FOUND",
      fmt::format("there is no dataset '{}'; `freqstore dataset list` shows those there are", name));
}

absl::Status DatasetGone() {
  return MakeError(absl::StatusCode::kNotFound, "DATASET_NOT_FOUND", "the dataset was deleted meanwhile");
}

}  // namespace

absl::Status CheckName(std::string_view what, std::string_view name) {
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const bool valid = !name.empty() && name.size() <= 63 && alphanumeric(name.front()) &&
                     std::all_of(name.begin(), name.end(),
                                 [&](char c) { return alphanumeric(c) || c == '.' || c == '_' || c == '-'; });
  if (valid) return absl::OkStatus();
  return MakeError(
      absl::StatusCode::kInvalidArgument, "INVALID_NAME",
      fmt::format("'{}' cannot name a {}: use 1 to 63 of letters, digits, '.', '_' and '-', starting with "
                  "a letter or digit",
                  name, what));
}

absl::StatusOr<storage::v1::DatasetMeta> Catalog::CreateDataset(std::string_view name,
                                                                storage::v1::Layout layout) {
  RETURN_IF_ERROR(CheckName("dataset", name));
  absl::MutexLock lock(&mutex_);
  if (datasets_.contains(name)) {
    return MakeError(absl::StatusCode::kAlreadyExists, "DATASET_EXISTS",
                     fmt::format("there is already a dataset '{}'", name));
  }
  Dataset dataset;
  dataset.meta.set_dataset_id(store_.next_dataset_id());
  dataset.meta.set_name(std::string(name));
  dataset.meta.set_create_time_us(NowMicros());
  dataset.meta.set_layout(layout);
  storage::v1::StoreMeta store = store_;
  store.set_next_dataset_id(store.next_dataset_id() + 1);
  KvBatch batch;
  batch.Put(Family::kCatalog, keys::StoreMeta(), store.SerializeAsString());
  batch.Put(Family::kCatalog, keys::Dataset(name), dataset.meta.SerializeAsString());
  RETURN_IF_ERROR(kv_->Write(batch));
  store_ = store;
  return datasets_.emplace(std::string(name), std::move(dataset)).first->second.meta;
}

absl::StatusOr<storage::v1::DatasetMeta> Catalog::FindDataset(std::string_view name) const {
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = datasets_.find(name);
  if (found == datasets_.end()) return DatasetNotFound(name);
  return found->second.meta;
}

std::vector<storage::v1::DatasetMeta> Catalog::Datasets() const {
  absl::ReaderMutexLock lock(&mutex_);
  std::vector<storage::v1::DatasetMeta> metas;
  for (const auto& [name, dataset] : datasets_) metas.push_back(dataset.meta);
  return metas;
}

absl::Status Catalog::DeleteDataset(std::string_view name) {
  absl::MutexLock lock(&mutex_);
  const auto found = datasets_.find(name);
  if (found == datasets_.end()) return DatasetNotFound(name);
  const uint32_t id = found->second.meta.dataset_id();
  KvBatch batch;
  batch.Delete(Family::kCatalog, keys::Dataset(name));
  for (const std::string& prefix : keys::DatasetPrefixes(id)) batch.DeletePrefix(Family::kCatalog, prefix);
  for (const Family family : kRowFamilies) batch.DeletePrefix(family, keys::DatasetRows(id));
  RETURN_IF_ERROR(kv_->Write(batch));
  datasets_.erase(found);
  return absl::OkStatus();
}

absl::StatusOr<DatasetView> Catalog::View(std::string_view name) const {
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = datasets_.find(name);
  if (found == datasets_.end()) return DatasetNotFound(name);
  return ViewOf(found->second);
}

absl::StatusOr<DatasetView> Catalog::View(uint32_t dataset_id) const {
  absl::ReaderMutexLock lock(&mutex_);
  const Dataset* dataset = FindById(dataset_id);
  if (dataset == nullptr) return DatasetGone();
  return ViewOf(*dataset);
}

DatasetView Catalog::ViewOf(const Dataset& dataset) const {
  return {dataset.meta, dataset.schema, dataset.segments, kv_->Snapshot()};
}

Catalog::Dataset* Catalog::FindById(uint32_t dataset_id) {
  for (auto& [name, dataset] : datasets_) {
    if (dataset.meta.dataset_id() == dataset_id) return &dataset;
  }
  return nullptr;
}

const Catalog::Dataset* Catalog::FindById(uint32_t dataset_id) const {
  return const_cast<Catalog*>(this)->FindById(dataset_id);
}

uint64_t Catalog::AllocateSegment(uint32_t dataset_id) {
  absl::MutexLock lock(&mutex_);
  Dataset* dataset = FindById(dataset_id);
  return dataset == nullptr ? 0 : dataset->next_segment++;
}

uint64_t Catalog::AllocateRows(uint32_t dataset_id, uint64_t count) {
  absl::MutexLock lock(&mutex_);
  Dataset* dataset = FindById(dataset_id);
  if (dataset == nullptr) return 0;
  const uint64_t first = dataset->next_row;
  dataset->next_row += count;
  return first;
}

absl::Status Catalog::SetLayout(uint32_t dataset_id, storage::v1::Layout layout) {
  return Transact(dataset_id, [&](DatasetTransaction& transaction) {
    storage::v1::DatasetMeta meta = transaction.view().meta;
    if (meta.layout() == layout) return absl::OkStatus();
    meta.set_layout(layout);
    transaction.SetDataset(std::move(meta));
    return absl::OkStatus();
  });
}

absl::StatusOr<storage::v1::Layout> Catalog::DatasetLayout(uint32_t dataset_id) const {
  absl::ReaderMutexLock lock(&mutex_);
  const Dataset* dataset = FindById(dataset_id);
  if (dataset == nullptr) return DatasetGone();
  return dataset->meta.layout();
}

absl::StatusOr<std::shared_ptr<const AttributeSchema>> Catalog::Schema(uint32_t dataset_id) const {
  absl::ReaderMutexLock lock(&mutex_);
  const Dataset* dataset = FindById(dataset_id);
  if (dataset == nullptr) return DatasetGone();
  return dataset->schema;
}

absl::StatusOr<std::shared_ptr<const AttributeSchema>> Catalog::EnsureAttribute(uint32_t dataset_id,
                                                                                std::string_view name,
                                                                                AttributeType type) {
  const auto has_own = [name](const AttributeSchema& schema) {
    const AttributeDef* def = schema.Find(name);
    return def != nullptr && !IsSystemAttribute(def->id);
  };
  ASSIGN_OR_RETURN(auto schema, Schema(dataset_id));
  if (has_own(*schema)) return schema;
  RETURN_IF_ERROR(Transact(dataset_id, [&](DatasetTransaction& transaction) -> absl::Status {
    if (has_own(*transaction.view().schema)) return absl::OkStatus();  // another got here first
    ASSIGN_OR_RETURN(const AttributeSchema larger, transaction.view().schema->With(name, type));
    storage::v1::DatasetMeta meta = transaction.view().meta;
    StoreSchema(larger, meta);
    transaction.SetDataset(std::move(meta));
    return absl::OkStatus();
  }));
  return Schema(dataset_id);
}

absl::Status Catalog::Transact(uint32_t dataset_id,
                               absl::FunctionRef<absl::Status(DatasetTransaction&)> change) {
  std::shared_ptr<absl::Mutex> writer;
  {
    absl::ReaderMutexLock lock(&mutex_);
    const Dataset* dataset = FindById(dataset_id);
    if (dataset == nullptr) return DatasetGone();
    writer = dataset->writer;
  }
  absl::MutexLock alone(writer.get());
  ASSIGN_OR_RETURN(DatasetView view, View(dataset_id));
  DatasetTransaction transaction(std::move(view));
  RETURN_IF_ERROR(change(transaction));
  if (transaction.empty()) return absl::OkStatus();
  return Apply(transaction);
}

absl::Status Catalog::Apply(DatasetTransaction& transaction) {
  auto segments = std::make_shared<SegmentList>();
  for (const SegmentEntry& entry : *transaction.view().segments) {
    if (transaction.removed_.contains(entry.id())) continue;
    const auto changed = transaction.changed_.extract(entry.id());
    segments->push_back(changed ? changed.mapped() : entry);
  }
  for (auto& [id, added] : transaction.changed_) {
    segments->insert(std::ranges::upper_bound(*segments, id, {}, &SegmentEntry::id), std::move(added));
  }
  std::shared_ptr<const AttributeSchema> schema = transaction.view().schema;
  if (transaction.meta_) {
    ASSIGN_OR_RETURN(AttributeSchema changed, SchemaOf(*transaction.meta_));
    schema = std::make_shared<const AttributeSchema>(std::move(changed));
  }
  absl::MutexLock lock(&mutex_);
  Dataset* dataset = FindById(transaction.dataset_id());
  if (dataset == nullptr) return DatasetGone();
  RETURN_IF_ERROR(kv_->Write(transaction.batch_));
  dataset->segments = std::move(segments);
  dataset->schema = std::move(schema);
  if (transaction.meta_) dataset->meta = *std::move(transaction.meta_);
  return absl::OkStatus();
}

absl::Status Catalog::CommitRows(uint32_t dataset_id, const KvBatch& batch) const {
  absl::ReaderMutexLock lock(&mutex_);
  if (FindById(dataset_id) == nullptr) return DatasetGone();
  return kv_->Write(batch);
}

}  // namespace freqstore

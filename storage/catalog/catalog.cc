#include "storage/catalog/catalog.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_layout.h"

namespace freqstore {
namespace {

constexpr std::array kRowFamilies = {Family::kDelta, Family::kColumns, Family::kEnvelopes, Family::kRows};

int64_t NowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

absl::Status DatasetNotFound(std::string_view name) {
  return MakeError(
      absl::StatusCode::kNotFound, "DATASET_NOT_FOUND",
      fmt::format("there is no dataset '{}'; `freqstore dataset list` shows those there are", name));
}

absl::Status DatasetGone() {
  return MakeError(absl::StatusCode::kNotFound, "DATASET_NOT_FOUND", "the dataset was deleted meanwhile");
}

absl::Status SegmentGone(uint64_t segment) {
  return MakeError(absl::StatusCode::kNotFound, "SEGMENT_NOT_FOUND",
                   fmt::format("segment {} is not there any more", segment));
}

absl::Status LayoutChanged(std::string_view dataset) {
  return MakeError(absl::StatusCode::kFailedPrecondition, "LAYOUT_CHANGED",
                   fmt::format("dataset '{}' has another layout by now", dataset));
}

/// Adds the removal of everything but the rows that point to a segment.
void RemoveSegment(uint32_t dataset, uint64_t segment, KvBatch& batch) {
  batch.Delete(Family::kCatalog, keys::Segment(dataset, segment));
  batch.Delete(Family::kCatalog, keys::ImageTable(dataset, segment));
  batch.DeletePrefix(Family::kColumns, keys::SegmentRows(dataset, segment));
  batch.DeletePrefix(Family::kEnvelopes, keys::SegmentRows(dataset, segment));
}

template <typename Message>
absl::Status Parse(std::string_view what, std::string_view bytes, Message& message) {
  if (message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return absl::OkStatus();
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CATALOG", fmt::format("cannot parse {}", what));
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

absl::StatusOr<std::unique_ptr<Catalog>> Catalog::Open(KvStore* kv) {
  std::unique_ptr<Catalog> catalog(new Catalog(kv));
  RETURN_IF_ERROR(catalog->Load());
  return catalog;
}

absl::Status Catalog::Load() {
  absl::MutexLock lock(&mutex_);
  ASSIGN_OR_RETURN(const auto stored, kv_->Get(Family::kCatalog, keys::StoreMeta()));
  if (!stored) {
    store_.set_format_major(kStoreFormatMajor);
    store_.set_format_minor(kStoreFormatMinor);
    store_.set_next_dataset_id(1);
    KvBatch batch;
    batch.Put(Family::kCatalog, keys::StoreMeta(), store_.SerializeAsString());
    return kv_->Write(batch);
  }
  RETURN_IF_ERROR(Parse("the store's header", *stored, store_));
  if (store_.format_major() < kStoreFormatMajor) {
    return MakeError(
        absl::StatusCode::kFailedPrecondition, "OLDER_FORMAT",
        fmt::format(
            "the store has format {}.{}, of before the first release; this server reads {}.0 to {}.{}: "
            "import the images again",
            store_.format_major(), store_.format_minor(), kStoreFormatMajor, kStoreFormatMajor,
            kStoreFormatMinor));
  }
  if (store_.format_major() > kStoreFormatMajor || store_.format_minor() > kStoreFormatMinor) {
    return MakeError(
        absl::StatusCode::kFailedPrecondition, "NEWER_FORMAT",
        fmt::format("the store has format {}.{}, this server reads {}.0 to {}.{}; start a newer freqstored",
                    store_.format_major(), store_.format_minor(), kStoreFormatMajor, kStoreFormatMajor,
                    kStoreFormatMinor));
  }
  if (store_.format_minor() < kStoreFormatMinor) {
    store_.set_format_minor(kStoreFormatMinor);
    KvBatch batch;
    batch.Put(Family::kCatalog, keys::StoreMeta(), store_.SerializeAsString());
    RETURN_IF_ERROR(kv_->Write(batch));
  }
  const auto datasets = kv_->Scan(Family::kCatalog, keys::DatasetPrefix());
  for (; datasets->Valid(); datasets->Next()) {
    storage::v1::DatasetMeta meta;
    RETURN_IF_ERROR(Parse("a dataset", datasets->value(), meta));
    RETURN_IF_ERROR(LoadDataset(std::move(meta)));
  }
  RETURN_IF_ERROR(datasets->status());
  const auto models = kv_->Scan(Family::kCatalog, keys::ModelPrefix());
  for (; models->Valid(); models->Next()) {
    storage::v1::ModelMeta meta;
    RETURN_IF_ERROR(Parse("a model", models->value(), meta));
    std::string name = meta.name();
    models_.emplace(std::move(name), std::move(meta));
  }
  return models->status();
}

absl::Status Catalog::LoadDataset(storage::v1::DatasetMeta meta) {
  mutex_.AssertHeld();
  const uint32_t id = meta.dataset_id();
  Dataset dataset;
  dataset.meta = std::move(meta);
  auto segments = std::make_shared<SegmentList>();
  const auto cursor = kv_->Scan(Family::kCatalog, keys::SegmentPrefix(id));
  for (; cursor->Valid(); cursor->Next()) {
    auto segment = std::make_shared<storage::v1::SegmentMeta>();
    RETURN_IF_ERROR(Parse("a segment", cursor->value(), *segment));
    segments->push_back(std::move(segment));
  }
  RETURN_IF_ERROR(cursor->status());
  dataset.segments = std::move(segments);
  const auto heads = kv_->Scan(Family::kDelta, keys::DeltaPrefix(id, keys::DeltaKind::kHead));
  for (; heads->Valid(); heads->Next()) {
    dataset.next_row = std::max(dataset.next_row, keys::DeltaRowOf(heads->key()).value_or(0) + 1);
  }
  RETURN_IF_ERROR(heads->status());
  RETURN_IF_ERROR(SweepOrphans(dataset));
  std::string name = dataset.meta.name();
  datasets_.emplace(std::move(name), std::move(dataset));
  return absl::OkStatus();
}

absl::Status Catalog::SweepOrphans(Dataset& dataset) {
  const uint32_t id = dataset.meta.dataset_id();
  std::set<uint64_t> visible;
  for (const auto& segment : *dataset.segments) visible.insert(segment->segment_id());
  if (!visible.empty()) dataset.next_segment = *visible.rbegin() + 1;
  KvBatch batch;
  for (const Family family : {Family::kColumns, Family::kEnvelopes}) {
    const auto cursor = kv_->Scan(family, keys::DatasetRows(id));
    while (cursor->Valid()) {
      const uint64_t segment = keys::SegmentOf(cursor->key()).value_or(0);
      if (!visible.contains(segment)) batch.DeletePrefix(family, keys::SegmentRows(id, segment));
      dataset.next_segment = std::max(dataset.next_segment, segment + 1);
      cursor->Seek(keys::SegmentRows(id, segment + 1));
    }
    RETURN_IF_ERROR(cursor->status());
  }
  if (batch.changes().empty()) return absl::OkStatus();
  return kv_->Write(batch);
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
  batch.DeletePrefix(Family::kCatalog, keys::SegmentPrefix(id));
  batch.DeletePrefix(Family::kCatalog, keys::ImageTablePrefix(id));
  for (const Family family : kRowFamilies) batch.DeletePrefix(family, keys::DatasetRows(id));
  RETURN_IF_ERROR(kv_->Write(batch));
  datasets_.erase(found);
  return absl::OkStatus();
}

absl::StatusOr<DatasetView> Catalog::View(std::string_view name) const {
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = datasets_.find(name);
  if (found == datasets_.end()) return DatasetNotFound(name);
  return DatasetView{found->second.meta, found->second.segments, kv_->Snapshot()};
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
  absl::MutexLock lock(&mutex_);
  Dataset* dataset = FindById(dataset_id);
  if (dataset == nullptr) return DatasetGone();
  if (dataset->meta.layout() == layout) return absl::OkStatus();
  storage::v1::DatasetMeta meta = dataset->meta;
  meta.set_layout(layout);
  KvBatch batch;
  batch.Put(Family::kCatalog, keys::Dataset(meta.name()), meta.SerializeAsString());
  RETURN_IF_ERROR(kv_->Write(batch));
  dataset->meta = std::move(meta);
  return absl::OkStatus();
}

absl::StatusOr<storage::v1::Layout> Catalog::DatasetLayout(uint32_t dataset_id) const {
  absl::ReaderMutexLock lock(&mutex_);
  const Dataset* dataset = FindById(dataset_id);
  if (dataset == nullptr) return DatasetGone();
  return dataset->meta.layout();
}

absl::Status Catalog::CommitSegment(uint32_t dataset_id, storage::v1::SegmentMeta segment, KvBatch batch,
                                    std::optional<uint64_t> replaced) {
  batch.Put(Family::kCatalog, keys::Segment(dataset_id, segment.segment_id()), segment.SerializeAsString());
  if (replaced) RemoveSegment(dataset_id, *replaced, batch);
  absl::MutexLock lock(&mutex_);
  Dataset* dataset = FindById(dataset_id);
  if (dataset == nullptr) return DatasetGone();
  if (LayoutOf(segment) != LayoutOf(dataset->meta)) return LayoutChanged(dataset->meta.name());
  auto segments = std::make_shared<SegmentList>(*dataset->segments);
  if (replaced &&
      std::erase_if(*segments, [&](const auto& other) { return other->segment_id() == *replaced; }) == 0) {
    return SegmentGone(*replaced);
  }
  RETURN_IF_ERROR(kv_->Write(batch));
  auto added = std::make_shared<const storage::v1::SegmentMeta>(std::move(segment));
  const auto place = std::find_if(segments->begin(), segments->end(), [&](const auto& other) {
    return other->segment_id() > added->segment_id();
  });
  segments->insert(place, std::move(added));
  dataset->segments = std::move(segments);
  return absl::OkStatus();
}

absl::Status Catalog::CommitRows(uint32_t dataset_id, const KvBatch& batch) const {
  absl::ReaderMutexLock lock(&mutex_);
  if (FindById(dataset_id) == nullptr) return DatasetGone();
  return kv_->Write(batch);
}

}  // namespace freqstore

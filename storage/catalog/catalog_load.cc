// Reads the catalog of a store, and removes what was left unfinished there.

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_attribute.h"

namespace freqstore {
namespace {

template <typename Message>
absl::Status Parse(std::string_view what, std::string_view bytes, Message& message) {
  if (message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return absl::OkStatus();
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CATALOG", fmt::format("cannot parse {}", what));
}

}  // namespace

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
  ASSIGN_OR_RETURN(AttributeSchema schema, SchemaOf(dataset.meta));
  dataset.schema = std::make_shared<const AttributeSchema>(std::move(schema));
  RETURN_IF_ERROR(LoadSegments(dataset));
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

// Segments and states lie in two ranges of the same order: one pass over both.
absl::Status Catalog::LoadSegments(Dataset& dataset) {
  const uint32_t id = dataset.meta.dataset_id();
  auto segments = std::make_shared<SegmentList>();
  const auto cursor = kv_->Scan(Family::kCatalog, keys::SegmentPrefix(id));
  const auto states = kv_->Scan(Family::kCatalog, keys::SegmentStatePrefix(id));
  for (; cursor->Valid(); cursor->Next()) {
    auto meta = std::make_shared<storage::v1::SegmentMeta>();
    RETURN_IF_ERROR(Parse("a segment", cursor->value(), *meta));
    storage::v1::SegmentState stored;
    const std::string state_key = keys::SegmentState(id, meta->segment_id());
    while (states->Valid() && states->key() < state_key) states->Next();
    if (states->Valid() && states->key() == state_key)
      RETURN_IF_ERROR(Parse("the state of a segment", states->value(), stored));
    ASSIGN_OR_RETURN(SegmentState state, FromStored(stored, meta->images()));
    segments->push_back({std::move(meta), std::make_shared<const SegmentState>(std::move(state))});
  }
  RETURN_IF_ERROR(cursor->status());
  RETURN_IF_ERROR(states->status());
  dataset.segments = std::move(segments);
  return absl::OkStatus();
}

absl::Status Catalog::SweepOrphans(Dataset& dataset) {
  const uint32_t id = dataset.meta.dataset_id();
  std::set<uint64_t> visible;
  for (const auto& segment : *dataset.segments) visible.insert(segment.id());
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

}  // namespace freqstore

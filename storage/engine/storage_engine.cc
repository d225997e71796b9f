#include "storage/engine/storage_engine.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "storage/base/status.h"
#include "storage/catalog/stored_layout.h"
#include "storage/engine/deletion_log.h"

namespace freqstore {
namespace {

void CountKept(KeepReason reason, uint64_t images, uint64_t bytes, DatasetStats& stats) {
  if (reason == KeepReason::kNone) return;
  KeptStats& kept = stats.kept[reason];
  kept.images += images;
  kept.bytes += bytes;
}

}  // namespace

StorageEngine::StorageEngine(StorageOptions options) : options_(std::move(options)) {}

StorageEngine::~StorageEngine() {
  ticker_ = {};
  maintenance_.reset();
  pool_.reset();
  rewriter_.reset();
  verifier_.reset();
  // The next opening is quicker for it. If it fails, everything is in the log still.
  if (kv_ != nullptr) kv_->WriteOut().IgnoreError();
}

absl::StatusOr<std::unique_ptr<StorageEngine>> StorageEngine::Open(StorageOptions options) {
  std::unique_ptr<StorageEngine> engine(new StorageEngine(std::move(options)));
  ASSIGN_OR_RETURN(engine->kv_, KvStore::Open(engine->options_.data_dir / "store", engine->options_.kv));
  ASSIGN_OR_RETURN(engine->catalog_, Catalog::Open(engine->kv_.get()));
  engine->ids_ = std::make_unique<ImageIdGuard>(engine->kv_.get());
  engine->contents_ = std::make_unique<ContentIndex>(engine->kv_.get());
  engine->rewriter_ = std::make_unique<Rewriter>(engine->kv_.get(), engine->catalog_.get(), &engine->moving_);
  engine->rewriter_->Resume();
  engine->maintenance_ = std::make_unique<Maintenance>(
      engine->kv_.get(), engine->catalog_.get(), engine->options_.maintenance,
      engine->options_.import.segment, &engine->moving_, engine->options_.is_busy);
  engine->verifier_ = std::make_unique<Verifier>(engine->kv_.get(), engine->catalog_.get());
  engine->pool_ = std::make_unique<ThreadPool>(engine->options_.ingest_threads);
  engine->ticker_ =
      std::jthread([raw = engine.get()](const std::stop_token& stop) { raw->TickSessions(stop); });
  return engine;
}

absl::StatusOr<DatasetStats> StorageEngine::Describe(std::string_view dataset) const {
  ASSIGN_OR_RETURN(const auto snapshot, Snapshot(dataset));
  DatasetStats stats;
  stats.meta = snapshot->dataset();
  stats.schema = std::make_shared<const AttributeSchema>(snapshot->schema());
  for (const Part& part : snapshot->parts()) {
    stats.images += part.live_images();
    if (part.in_delta()) {
      ++stats.delta_images;
      stats.file_bytes += part.delta->record.file_bytes;
      stats.delta_bytes += part.delta->chunk_bytes;
      CountKept(part.delta->record.keep_reason, 1, part.delta->record.file_bytes, stats);
      continue;
    }
    ++stats.segments;
    stats.deleted_images += part.state->deleted.count();
    if (!part.state->quarantine.empty()) ++stats.quarantined_segments;
    stats.file_bytes += part.segment->file_bytes() - part.state->deleted_file_bytes;
    LayoutStats& layout = stats.layouts[LayoutOf(*part.segment)];
    ++layout.segments;
    layout.images += part.images;
    stats.envelope_bytes += part.segment->envelope_bytes();
    for (const storage::v1::KeptFiles& kept : part.segment->kept_files())
      CountKept(static_cast<KeepReason>(kept.reason()), kept.images(), kept.bytes(), stats);
    for (const storage::v1::ColumnMeta& column : part.segment->columns()) {
      stats.column_bytes += column.bytes();
      layout.column_bytes += column.bytes();
      stats.bytes_by_frequency[column.component()][column.frequency()] += column.bytes();
    }
  }
  return stats;
}

absl::StatusOr<std::shared_ptr<ImportSession>> StorageEngine::StartImport(
    std::string_view dataset, ImportSession::Acknowledge acknowledge, OnDamage on_damage) {
  ASSIGN_OR_RETURN(const storage::v1::DatasetMeta meta, catalog_->FindDataset(dataset));
  const ImportContext context{kv_.get(), catalog_.get(), ids_.get(), contents_.get(), pool_.get(), &imports_};
  ImportOptions options = options_.import;
  options.on_damage = on_damage;
  auto session = std::make_shared<ImportSession>(context, options, meta.dataset_id(), std::move(acknowledge));
  absl::MutexLock lock(&sessions_mutex_);
  sessions_.push_back(session);
  return session;
}

absl::StatusOr<std::shared_ptr<const DatasetSnapshot>> StorageEngine::Snapshot(
    std::string_view dataset) const {
  ASSIGN_OR_RETURN(DatasetView view, catalog_->View(dataset));
  return DatasetSnapshot::Take(kv_.get(), std::move(view));
}

absl::StatusOr<std::shared_ptr<const AttributeSchema>> StorageEngine::Schema(std::string_view dataset) const {
  ASSIGN_OR_RETURN(const storage::v1::DatasetMeta meta, catalog_->FindDataset(dataset));
  return catalog_->Schema(meta.dataset_id());
}

absl::StatusOr<DeletionResult> StorageEngine::DeleteImages(std::string_view dataset,
                                                           const ImageSelection& selection) {
  ASSIGN_OR_RETURN(const storage::v1::DatasetMeta meta, catalog_->FindDataset(dataset));
  return freqstore::DeleteImages(*kv_, *catalog_, meta.dataset_id(), selection);
}

absl::StatusOr<AttributeUpdateResult> StorageEngine::UpdateAttributes(
    std::string_view dataset, const std::vector<AttributeUpdate>& updates) {
  ASSIGN_OR_RETURN(const storage::v1::DatasetMeta meta, catalog_->FindDataset(dataset));
  return freqstore::UpdateAttributes(*kv_, *catalog_, meta.dataset_id(), updates);
}

absl::StatusOr<std::vector<storage::v1::DeletionRecord>> StorageEngine::Deletions(
    std::string_view dataset) const {
  ASSIGN_OR_RETURN(const DatasetView view, catalog_->View(dataset));
  const uint32_t dataset_id = view.meta.dataset_id();
  ASSIGN_OR_RETURN(auto records, PurgedDeletions(*kv_, dataset_id, view.snapshot.get()));
  ASSIGN_OR_RETURN(const auto pending, PendingDeletions(*kv_, dataset_id, view.snapshot.get()));
  records.insert(records.end(), pending.begin(), pending.end());
  return records;
}

void StorageEngine::TickSessions(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  while (!stop.stop_requested()) {
    std::vector<std::shared_ptr<ImportSession>> alive;
    {
      absl::MutexLock lock(&sessions_mutex_);
      std::erase_if(sessions_, [](const auto& session) { return session.expired(); });
      for (const auto& session : sessions_) {
        if (auto locked = session.lock()) alive.push_back(std::move(locked));
      }
    }
    for (const auto& session : alive) session->OnTick();
    alive.clear();
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, options_.import.idle / 4, [] { return false; });
  }
}

}  // namespace freqstore

// The storage engine: datasets of images, stored by column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "storage/base/thread_pool.h"
#include "storage/catalog/catalog.h"
#include "storage/codec/layout.h"
#include "storage/engine/attribute_update.h"
#include "storage/engine/content_index.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/image_deletion.h"
#include "storage/engine/image_id_guard.h"
#include "storage/engine/import_session.h"
#include "storage/engine/maintenance.h"
#include "storage/engine/rewriter.h"
#include "storage/engine/verifier.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

struct StorageOptions {
  std::filesystem::path data_dir;
  KvOptions kv;
  ImportOptions import;
  MaintenanceOptions maintenance;
  /// Says that background work should wait. Thread-safe.
  std::function<bool()> is_busy = [] { return false; };
  size_t ingest_threads = std::max(1U, std::thread::hardware_concurrency());
};

/// The segments of one layout.
struct LayoutStats {
  uint64_t segments = 0;
  uint64_t images = 0;
  uint64_t column_bytes = 0;
};

/// Original files that are kept whole.
struct KeptStats {
  uint64_t images = 0;
  uint64_t bytes = 0;
};

/// What `dataset describe` says.
struct DatasetStats {
  storage::v1::DatasetMeta meta;
  std::shared_ptr<const AttributeSchema> schema;
  uint64_t images = 0;
  uint64_t delta_images = 0;
  uint64_t segments = 0;
  uint64_t deleted_images = 0;  ///< still in segments
  uint64_t quarantined_segments = 0;
  uint64_t file_bytes = 0;                ///< of the original files
  uint64_t delta_bytes = 0;               ///< of the delta's chunks
  uint64_t column_bytes = 0;              ///< of all chunks in segments
  uint64_t envelope_bytes = 0;            ///< in segments
  std::map<KeepReason, KeptStats> kept;   ///< files that are kept whole, by the reason
  std::map<Layout, LayoutStats> layouts;  ///< more than one while, or after, a rewrite has left some
  /// Bytes by component and zigzag index, in segments.
  std::array<std::array<uint64_t, kFrequencies>, kComponentsMax> bytes_by_frequency{};
};

/// Thread-safe. What is acknowledged survives the process and power loss.
class StorageEngine {
 public:
  /// Opens the store in options.data_dir, or makes one.
  static absl::StatusOr<std::unique_ptr<StorageEngine>> Open(StorageOptions options);
  ~StorageEngine();

  Catalog& catalog() { return *catalog_; }

  absl::StatusOr<DatasetStats> Describe(std::string_view dataset) const;

  /// Starts an import; outcomes go to `acknowledge`. The session must end before the engine does.
  absl::StatusOr<std::shared_ptr<ImportSession>> StartImport(std::string_view dataset,
                                                             ImportSession::Acknowledge acknowledge,
                                                             OnDamage on_damage = OnDamage::kKeep);

  absl::StatusOr<std::shared_ptr<const DatasetSnapshot>> Snapshot(std::string_view dataset) const;

  absl::StatusOr<std::shared_ptr<const AttributeSchema>> Schema(std::string_view dataset) const;

  /// See image_deletion.h and attribute_update.h.
  absl::StatusOr<DeletionResult> DeleteImages(std::string_view dataset, const ImageSelection& selection);
  absl::StatusOr<AttributeUpdateResult> UpdateAttributes(std::string_view dataset,
                                                         const std::vector<AttributeUpdate>& updates);

  /// Deletions of a dataset, those of which something is still on disk behind the others.
  absl::StatusOr<std::vector<storage::v1::DeletionRecord>> Deletions(std::string_view dataset) const;

  /// Moves the delta of a dataset into segments.
  absl::StatusOr<FlushResult> Flush(std::string_view dataset) { return maintenance_->Flush(dataset); }
  /// See Maintenance::CompactAll.
  absl::StatusOr<CompactResult> Compact(std::string_view dataset) {
    return maintenance_->CompactAll(dataset);
  }
  const MaintenanceCounters& maintenance() const { return maintenance_->counters(); }
  const ImportCounters& imports() const { return imports_; }

  /// Brings all segments of a dataset to `layout`, and makes it the dataset's: see Rewriter::Start. What was
  /// not finished when the engine closed goes on when it opens.
  absl::StatusOr<std::shared_ptr<RewriteJob>> Rewrite(std::string_view dataset, Layout layout) {
    return rewriter_->Start(dataset, layout);
  }
  /// See Verifier.
  std::shared_ptr<VerifyJob> Verify(const VerifyOptions& options) { return verifier_->Start(options); }
  /// Ends rewrites after the segment at hand.
  void StopRewrites() { rewriter_->Stop(); }

  KvStore& kv() const { return *kv_; }
  const StorageOptions& options() const { return options_; }

 private:
  explicit StorageEngine(StorageOptions options);
  void TickSessions(const std::stop_token& stop);

  const StorageOptions options_;
  std::unique_ptr<KvStore> kv_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<ImageIdGuard> ids_;
  std::unique_ptr<ContentIndex> contents_;
  absl::Mutex moving_;  // held by whoever moves images between the delta and segments
  ImportCounters imports_;
  std::unique_ptr<Rewriter> rewriter_;
  std::unique_ptr<Maintenance> maintenance_;
  std::unique_ptr<Verifier> verifier_;
  absl::Mutex sessions_mutex_;
  std::vector<std::weak_ptr<ImportSession>> sessions_ ABSL_GUARDED_BY(sessions_mutex_);
  std::unique_ptr<ThreadPool> pool_;
  std::jthread ticker_;
};

}  // namespace freqstore

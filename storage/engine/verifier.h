// Reads everything there is and says what is damaged.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "storage/base/thread_pool.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/progress_job.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

struct VerifyProgress {
  uint64_t tables_checked = 0;  ///< files of the key-value store, read from disk
  uint64_t segments_total = 0;
  uint64_t segments_done = 0;
  uint64_t images_total = 0;  ///< in segments and in the delta
  uint64_t images_done = 0;   ///< every column decoded
  uint64_t originals = 0;     ///< files that were rebuilt and compared with their SHA-256
  /// Table files, segments and rows that are damaged, by name, and how.
  std::vector<std::string> damaged;
  /// Segments that were quarantined now, and those that were and are found sound.
  uint64_t quarantined = 0;
  uint64_t released = 0;
  bool ended = false;
  absl::Status status;  ///< why it ended early
};

struct VerifyOptions {
  uint32_t originals_every = 20;  ///< one of so many images is rebuilt; 1: all, 0: none
  bool quarantine = true;
};

using VerifyJob = ProgressJob<VerifyProgress>;

/// Checks one store, in a thread of its own: every table file against its checksums; every column of every
/// image, its attributes and a sample of the original files. A segment that cannot be read is quarantined:
/// queries do not read it any more, and its images fail with SEGMENT_QUARANTINED. One that was and is sound
/// again (its file was put back from a backup) is released. Thread-safe.
class Verifier {
 public:
  /// Both outlive it.
  Verifier(KvStore* kv, Catalog* catalog) : kv_(kv), catalog_(catalog) {}
  ~Verifier() { stopping_ = true; }

  /// Starts, or attaches to the one that runs, whatever its options.
  std::shared_ptr<VerifyJob> Start(const VerifyOptions& options);

 private:
  void Run(VerifyJob& job, const VerifyOptions& options);
  absl::Status CheckTables(VerifyJob& job);
  absl::Status CheckDataset(VerifyJob& job, const VerifyOptions& options,
                            const storage::v1::DatasetMeta& dataset);
  absl::Status CheckPart(VerifyJob& job, const VerifyOptions& options, const DatasetSnapshot& snapshot,
                         const Part& part);
  absl::Status SetQuarantine(uint32_t dataset_id, uint64_t segment_id, const std::string& why);

  KvStore* const kv_;
  Catalog* const catalog_;
  std::atomic<bool> stopping_ = false;
  absl::Mutex mutex_;
  std::shared_ptr<VerifyJob> running_ ABSL_GUARDED_BY(mutex_);
  ThreadPool thread_{1};
};

}  // namespace freqstore

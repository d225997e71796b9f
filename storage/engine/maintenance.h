// What the engine does by itself, in the background: columnizing, compaction, and taking deleted bytes off
// the disk.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/columnizer.h"
#include "storage/engine/compactor.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

struct MaintenanceOptions {
  /// The delta of a dataset becomes segments once it has so many images, or its oldest is so old.
  uint64_t delta_images_max = 4096;
  std::chrono::seconds delta_age_max{300};
  double deleted_share = 0.2;  ///< see CompactionPolicy
  /// Deleted images are off the disk by then, at the cost of rewriting their segments for them alone.
  std::chrono::seconds purge_after{std::chrono::hours(24)};
  uint64_t compaction_bytes_per_second = uint64_t{64} << 20;  ///< read; 0: as fast as it goes
  std::chrono::milliseconds interval{1000};                   ///< between looks at what is due
};

/// Since the engine opened.
struct MaintenanceCounters {
  std::atomic<uint64_t> images_columnized = 0;
  std::atomic<uint64_t> segments_columnized = 0;
  std::atomic<uint64_t> segments_compacted = 0;
  std::atomic<uint64_t> images_compacted = 0;
  std::atomic<uint64_t> bytes_compacted = 0;
  std::atomic<uint64_t> failures = 0;
  std::atomic<bool> is_paused = false;  ///< something is due, and the server is busy
};

struct CompactResult {
  uint64_t segments_before = 0;
  uint64_t segments_after = 0;
  uint64_t images_moved = 0;
  bool is_purged = false;            ///< nothing of what was deleted is on disk
  std::vector<std::string> damaged;  ///< segments that could not be read, and why; they stay as they are
};

/// Thread-safe.
class Maintenance {
 public:
  /// While `is_busy` says so, work that can wait is held back. All outlive it.
  Maintenance(KvStore* kv, Catalog* catalog, MaintenanceOptions options, SegmentTarget segment,
              absl::Mutex* moving, std::function<bool()> is_busy);
  ~Maintenance();

  /// Moves the delta of a dataset into segments now.
  absl::StatusOr<FlushResult> Flush(std::string_view dataset);

  /// Rewrites every segment of a dataset with deleted images, and joins small ones, now and as fast as it
  /// goes; then takes the deleted bytes off the disk.
  absl::StatusOr<CompactResult> CompactAll(std::string_view dataset);

  const MaintenanceCounters& counters() const { return counters_; }

 private:
  void Run(const std::stop_token& stop);
  absl::Status Maintain(const storage::v1::DatasetMeta& dataset, const std::stop_token& stop);
  absl::StatusOr<bool> IsFlushDue(uint32_t dataset_id);
  absl::StatusOr<bool> IsPurgeDue(uint32_t dataset_id);
  absl::StatusOr<std::vector<CompactionGroup>> Choose(uint32_t dataset_id,
                                                      const CompactionPolicy& policy) const;
  absl::StatusOr<uint64_t> CountSegments(uint32_t dataset_id) const;
  absl::Status CompactDue(uint32_t dataset_id, const std::stop_token& stop);
  absl::Status RunPurge(uint32_t dataset_id);
  absl::StatusOr<FlushResult> FlushDataset(uint32_t dataset_id);
  absl::StatusOr<CompactionResult> CompactGroup(uint32_t dataset_id, const CompactionGroup& group);
  bool WaitFor(std::chrono::nanoseconds time, const std::stop_token& stop);

  KvStore* const kv_;
  Catalog* const catalog_;
  const MaintenanceOptions options_;
  const SegmentTarget segment_;
  absl::Mutex* const moving_;  // held by whoever moves images between delta and segments
  const std::function<bool()> is_busy_;
  MaintenanceCounters counters_;
  std::map<uint32_t, std::set<CompactionGroup>> damaged_;  // by dataset; not tried again
  std::map<uint32_t, std::chrono::steady_clock::time_point> no_purge_before_;
  std::mutex wake_mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace freqstore

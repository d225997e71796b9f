#include "storage/engine/maintenance.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "storage/base/clock.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/deletion_log.h"
#include "storage/engine/delta.h"
#include "storage/engine/purger.h"

namespace freqstore {
namespace {

/// How long a purge that found a snapshot in its way waits.
constexpr std::chrono::seconds kPurgePause{10};

/// A delta so many times larger than it should be is flushed although the server is busy.
constexpr uint64_t kUrgentFactor = 4;

}  // namespace

Maintenance::Maintenance(KvStore* kv, Catalog* catalog, MaintenanceOptions options, SegmentTarget segment,
                         absl::Mutex* moving, std::function<bool()> is_busy)
    : kv_(kv),
      catalog_(catalog),
      options_(options),
      segment_(segment),
      moving_(moving),
      is_busy_(std::move(is_busy)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

Maintenance::~Maintenance() = default;

void Maintenance::Run(const std::stop_token& stop) {
  while (WaitFor(options_.interval, stop)) {
    // After an error writes are tried again by the store itself; until then nothing here can succeed.
    if (!kv_->health().writable()) continue;
    for (const storage::v1::DatasetMeta& dataset : catalog_->Datasets()) {
      if (stop.stop_requested()) return;
      if (!Maintain(dataset, stop).ok()) ++counters_.failures;
    }
  }
}

bool Maintenance::WaitFor(std::chrono::nanoseconds time, const std::stop_token& stop) {
  std::unique_lock lock(wake_mutex_);
  wake_.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

absl::Status Maintenance::Maintain(const storage::v1::DatasetMeta& dataset, const std::stop_token& stop) {
  const uint32_t dataset_id = dataset.dataset_id();
  ASSIGN_OR_RETURN(const bool is_flush_due, IsFlushDue(dataset_id));
  if (is_flush_due) RETURN_IF_ERROR(FlushDataset(dataset_id).status());
  RETURN_IF_ERROR(CompactDue(dataset_id, stop));
  return RunPurge(dataset_id);
}

absl::StatusOr<bool> Maintenance::IsFlushDue(uint32_t dataset_id) {
  const uint64_t urgent_rows = kUrgentFactor * options_.delta_images_max;
  ASSIGN_OR_RETURN(const DeltaExtent extent, MeasureDelta(*kv_, dataset_id, urgent_rows));
  const bool is_due = extent.rows >= options_.delta_images_max ||
                      (extent.rows > 0 && NowMicros() - extent.oldest_us >=
                                              std::chrono::microseconds(options_.delta_age_max).count());
  if (!is_due || extent.rows >= urgent_rows) return is_due;
  counters_.is_paused = is_busy_();
  return !counters_.is_paused;
}

absl::StatusOr<FlushResult> Maintenance::FlushDataset(uint32_t dataset_id) {
  absl::MutexLock lock(moving_);
  ASSIGN_OR_RETURN(const FlushResult result, FlushDelta(*kv_, *catalog_, dataset_id, segment_));
  counters_.images_columnized += result.images;
  counters_.segments_columnized += result.segments;
  return result;
}

absl::StatusOr<FlushResult> Maintenance::Flush(std::string_view dataset) {
  ASSIGN_OR_RETURN(const storage::v1::DatasetMeta meta, catalog_->FindDataset(dataset));
  return FlushDataset(meta.dataset_id());
}

absl::StatusOr<bool> Maintenance::IsPurgeDue(uint32_t dataset_id) {
  ASSIGN_OR_RETURN(const auto oldest, OldestPendingDeletion(*kv_, dataset_id));
  const int64_t due_us = NowMicros() - std::chrono::microseconds(options_.purge_after).count();
  return oldest && oldest->delete_time_us() <= due_us;
}

// Views are dropped at once: their snapshots would keep what is removed on disk.
absl::StatusOr<std::vector<CompactionGroup>> Maintenance::Choose(uint32_t dataset_id,
                                                                 const CompactionPolicy& policy) const {
  ASSIGN_OR_RETURN(const DatasetView view, catalog_->View(dataset_id));
  return ChooseCompactions(view, policy);
}

absl::StatusOr<uint64_t> Maintenance::CountSegments(uint32_t dataset_id) const {
  ASSIGN_OR_RETURN(const DatasetView view, catalog_->View(dataset_id));
  return view.segments->size();
}

absl::Status Maintenance::CompactDue(uint32_t dataset_id, const std::stop_token& stop) {
  ASSIGN_OR_RETURN(const bool is_purge_due, IsPurgeDue(dataset_id));
  const CompactionPolicy policy{.deleted_share = is_purge_due ? 0.0 : options_.deleted_share,
                                .segment = segment_};
  ASSIGN_OR_RETURN(const std::vector<CompactionGroup> groups, Choose(dataset_id, policy));
  for (const CompactionGroup& group : groups) {
    if (damaged_[dataset_id].contains(group)) continue;
    counters_.is_paused = is_busy_();
    if (counters_.is_paused || stop.stop_requested()) return absl::OkStatus();
    const absl::StatusOr<CompactionResult> result = CompactGroup(dataset_id, group);
    if (absl::IsDataLoss(result.status())) {
      damaged_[dataset_id].insert(group);
      continue;
    }
    if (absl::IsNotFound(result.status())) continue;
    RETURN_IF_ERROR(result.status());
    if (options_.compaction_bytes_per_second == 0) continue;
    const double seconds =
        static_cast<double>(result->bytes_read) / static_cast<double>(options_.compaction_bytes_per_second);
    WaitFor(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds)),
            stop);
  }
  return absl::OkStatus();
}

absl::StatusOr<CompactionResult> Maintenance::CompactGroup(uint32_t dataset_id,
                                                           const CompactionGroup& group) {
  absl::MutexLock lock(moving_);
  ASSIGN_OR_RETURN(const CompactionResult result, Compact(*kv_, *catalog_, dataset_id, group));
  counters_.segments_compacted += group.size();
  counters_.images_compacted += result.images;
  counters_.bytes_compacted += result.bytes_read;
  return result;
}

absl::Status Maintenance::RunPurge(uint32_t dataset_id) {
  auto& no_purge_before = no_purge_before_[dataset_id];
  if (std::chrono::steady_clock::now() < no_purge_before || is_busy_()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const bool is_reclaimed, ReclaimGarbage(*kv_, *catalog_, dataset_id));
  bool is_purged = is_reclaimed;
  if (is_reclaimed) {
    ASSIGN_OR_RETURN(is_purged, PurgeDeletions(*kv_, *catalog_, dataset_id));
  }
  if (!is_purged) no_purge_before = std::chrono::steady_clock::now() + kPurgePause;
  return absl::OkStatus();
}

absl::StatusOr<CompactResult> Maintenance::CompactAll(std::string_view dataset) {
  CompactResult result;
  ASSIGN_OR_RETURN(const storage::v1::DatasetMeta meta, catalog_->FindDataset(dataset));
  const uint32_t dataset_id = meta.dataset_id();
  ASSIGN_OR_RETURN(result.segments_before, CountSegments(dataset_id));
  const CompactionPolicy policy{.deleted_share = 0, .small_segments = 2, .segment = segment_};
  ASSIGN_OR_RETURN(const std::vector<CompactionGroup> groups, Choose(dataset_id, policy));
  for (const CompactionGroup& group : groups) {
    const absl::StatusOr<CompactionResult> moved = CompactGroup(dataset_id, group);
    if (absl::IsDataLoss(moved.status())) {
      result.damaged.emplace_back(MessageOf(moved.status()));
      continue;
    }
    if (absl::IsNotFound(moved.status())) continue;  // the background was faster
    RETURN_IF_ERROR(moved.status());
    result.images_moved += moved->images;
  }
  ASSIGN_OR_RETURN(const bool is_reclaimed, ReclaimGarbage(*kv_, *catalog_, dataset_id));
  if (is_reclaimed) {
    ASSIGN_OR_RETURN(const bool is_purged, PurgeDeletions(*kv_, *catalog_, dataset_id));
    ASSIGN_OR_RETURN(const auto pending, PendingDeletions(*kv_, dataset_id, nullptr));
    result.is_purged = is_purged && pending.empty();
  }
  ASSIGN_OR_RETURN(result.segments_after, CountSegments(dataset_id));
  return result;
}

}  // namespace freqstore

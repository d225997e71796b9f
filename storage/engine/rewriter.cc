#include "storage/engine/rewriter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_layout.h"
#include "storage/engine/segment_commit.h"
#include "storage/engine/segment_images.h"

namespace freqstore {
namespace {

absl::Status Stopping() {
  return MakeError(absl::StatusCode::kUnavailable, "SERVER_STOPPING",
                   "the server stops; the rewrite goes on when it starts again");
}

absl::Status InProgress(const storage::v1::DatasetMeta& dataset) {
  return MakeError(absl::StatusCode::kFailedPrecondition, "REWRITE_IN_PROGRESS",
                   fmt::format("dataset '{}' is being rewritten to layout {}; wait for its end",
                               dataset.name(), LayoutName(LayoutOf(dataset))));
}

RewriteProgress WorkIn(const DatasetView& view) {
  RewriteProgress progress;
  for (const SegmentEntry& segment : *view.segments) {
    if (LayoutOf(*segment.meta) == LayoutOf(view.meta)) continue;
    ++progress.segments_total;
    progress.images_total += segment.meta->images();
  }
  return progress;
}

}  // namespace

RewriteJob::RewriteJob(const DatasetView& view) : ProgressJob(WorkIn(view)), dataset_(view.meta) {}

absl::StatusOr<std::shared_ptr<RewriteJob>> Rewriter::Start(std::string_view dataset, Layout layout) {
  absl::MutexLock lock(&mutex_);
  if (stopping_) return Stopping();
  ASSIGN_OR_RETURN(const storage::v1::DatasetMeta meta, catalog_->FindDataset(dataset));
  if (const auto found = running_.find(meta.dataset_id()); found != running_.end()) {
    if (LayoutOf(meta) != layout) return InProgress(meta);
    return found->second;
  }
  RETURN_IF_ERROR(catalog_->SetLayout(meta.dataset_id(), StoredLayout(layout)));
  ASSIGN_OR_RETURN(const DatasetView view, catalog_->View(dataset));
  return StartLocked(view);
}

void Rewriter::Resume() {
  for (const storage::v1::DatasetMeta& dataset : catalog_->Datasets()) {
    const auto view = catalog_->View(dataset.name());
    if (!view.ok()) continue;  // deleted meanwhile
    const bool complete = std::ranges::all_of(*view->segments, [&](const auto& segment) {
      return LayoutOf(*segment.meta) == LayoutOf(view->meta);
    });
    if (complete) continue;
    absl::MutexLock lock(&mutex_);
    StartLocked(*view);
  }
}

std::shared_ptr<RewriteJob> Rewriter::StartLocked(const DatasetView& view) {
  auto job = std::make_shared<RewriteJob>(view);
  running_[view.meta.dataset_id()] = job;
  thread_.Submit([this, job] { Run(*job); });
  return job;
}

void Rewriter::Run(RewriteJob& job) {
  absl::Status status = RewriteSegments(job);
  {
    absl::MutexLock lock(&mutex_);
    running_.erase(job.dataset().dataset_id());
  }
  job.Update([&](RewriteProgress& progress) {
    progress.ended = true;
    progress.status = std::move(status);
  });
}

absl::Status Rewriter::RewriteSegments(RewriteJob& job) {
  std::set<uint64_t> tried;
  while (true) {
    std::optional<uint64_t> rewritten;
    {
      absl::MutexLock lock(moving_);
      // A snapshot a segment: held longer, it would keep what was swapped on disk.
      ASSIGN_OR_RETURN(const auto snapshot, TakeSnapshot(job));
      const auto next = std::ranges::find_if(snapshot->parts(), [&](const Part& part) {
        return !part.in_delta() && LayoutOf(*part.segment) != LayoutOf(job.dataset()) &&
               !tried.contains(part.segment->segment_id());
      });
      if (next == snapshot->parts().end()) return absl::OkStatus();
      if (stopping_) return Stopping();
      rewritten = next->segment->segment_id();
      tried.insert(*rewritten);
      RETURN_IF_ERROR(RewriteSegment(job, *snapshot, *next));
    }
    const std::string prefix = keys::SegmentRows(job.dataset().dataset_id(), *rewritten);
    for (const Family family : {Family::kColumns, Family::kEnvelopes}) {
      RETURN_IF_ERROR(kv_->Reclaim(family, prefix));
    }
  }
}

absl::StatusOr<std::shared_ptr<const DatasetSnapshot>> Rewriter::TakeSnapshot(const RewriteJob& job) const {
  ASSIGN_OR_RETURN(DatasetView view, catalog_->View(job.dataset().dataset_id()));
  return DatasetSnapshot::Take(kv_, std::move(view));
}

absl::Status Rewriter::RewriteSegment(RewriteJob& job, const DatasetSnapshot& snapshot, const Part& segment) {
  const uint32_t dataset_id = job.dataset().dataset_id();
  const uint64_t segment_id = segment.segment->segment_id();
  if (segment.live_images() == 0) {
    RETURN_IF_ERROR(RemoveSegments(*catalog_, dataset_id, {&segment_id, 1}));
    job.Update([&](RewriteProgress& progress) {
      ++progress.segments_done;
      progress.images_done += segment.images;
    });
    return absl::OkStatus();
  }
  SegmentImages read;
  if (const absl::Status status = ReadSegmentImages(snapshot, segment, read); !status.ok()) {
    job.Update([&](RewriteProgress& progress) {
      ++progress.segments_done;
      progress.images_done += segment.images;
      progress.damaged.push_back(fmt::format("segment {}: {}", segment_id, MessageOf(status)));
    });
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(
      const storage::v1::SegmentMeta made,
      CommitSegment(*kv_, *catalog_, dataset_id, LayoutOf(job.dataset()), read.images, read.sources));
  job.Update([&](RewriteProgress& progress) {
    ++progress.segments_done;
    progress.images_done += segment.images;
    progress.bytes_before += ColumnBytes(*segment.segment);
    progress.bytes_after += ColumnBytes(made);
  });
  return absl::OkStatus();
}

}  // namespace freqstore

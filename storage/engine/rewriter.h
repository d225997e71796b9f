// Brings the segments of a dataset to another layout, in the background.
//
// The dataset's layout is the aim, and the segments that have another one are what is left to do: nothing
// else is kept, so a rewrite that was interrupted goes on from what is there. A segment is swapped for its
// successor in one atomic step; a snapshot sees either.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "storage/base/thread_pool.h"
#include "storage/catalog/catalog.h"
#include "storage/codec/layout.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/progress_job.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

struct RewriteProgress {
  uint64_t segments_total = 0;  ///< of another layout when it began
  uint64_t segments_done = 0;   ///< swapped, or found to be damaged
  uint64_t images_total = 0;    ///< in those segments
  uint64_t images_done = 0;
  uint64_t bytes_before = 0;  ///< of the columns of segments that were swapped
  uint64_t bytes_after = 0;   ///< of the columns of their successors
  /// Segments that could not be read, and why; they stay as they are.
  std::vector<std::string> damaged;
  bool ended = false;
  absl::Status status;  ///< why it ended early
};

/// One rewrite, from its start to its end. Thread-safe.
class RewriteJob final : public ProgressJob<RewriteProgress> {
 public:
  /// To be done: the segments of `view` that have another layout than its dataset.
  explicit RewriteJob(const DatasetView& view);

  const storage::v1::DatasetMeta& dataset() const { return dataset_; }

 private:
  const storage::v1::DatasetMeta dataset_;
};

/// Works on one segment at a time, in a thread of its own. Thread-safe.
class Rewriter {
 public:
  /// `moving` is held while images are moved. All outlive it.
  Rewriter(KvStore* kv, Catalog* catalog, absl::Mutex* moving)
      : kv_(kv), catalog_(catalog), moving_(moving) {}
  ~Rewriter() { Stop(); }

  /// Makes `layout` the dataset's and starts to rewrite, or attaches to the rewrite that does so.
  /// FAILED_PRECONDITION (REWRITE_IN_PROGRESS) while one to another layout runs.
  absl::StatusOr<std::shared_ptr<RewriteJob>> Start(std::string_view dataset, Layout layout);

  /// Goes on with what was interrupted, in all datasets.
  void Resume();

  /// Ends jobs after the segment at hand, UNAVAILABLE (SERVER_STOPPING). No others can be started.
  void Stop() { stopping_ = true; }

 private:
  std::shared_ptr<RewriteJob> StartLocked(const DatasetView& view) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Run(RewriteJob& job);
  absl::Status RewriteSegments(RewriteJob& job);
  absl::StatusOr<std::shared_ptr<const DatasetSnapshot>> TakeSnapshot(const RewriteJob& job) const;
  absl::Status RewriteSegment(RewriteJob& job, const DatasetSnapshot& snapshot, const Part& segment);

  KvStore* const kv_;
  Catalog* const catalog_;
  absl::Mutex* const moving_;
  std::atomic<bool> stopping_ = false;
  absl::Mutex mutex_;
  std::map<uint32_t, std::shared_ptr<RewriteJob>> running_ ABSL_GUARDED_BY(mutex_);  // by dataset
  ThreadPool thread_{1};
};

}  // namespace freqstore

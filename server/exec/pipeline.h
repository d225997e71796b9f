// Runs a plan: a prefetching scan feeds batches to the workers, whose rows go to a bounded queue.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "gpu/worker/worker_pool.h"
#include "server/exec/exec_counters.h"
#include "server/plan/planner.h"
#include "storage/base/byte_budget.h"
#include "storage/base/thread_pool.h"

namespace freqstore {

/// A part in memory, counted against the bytes in flight.
struct InFlightPart {
  std::shared_ptr<const LoadedPart> loaded;
  std::vector<DecodeRequest> requests;
  BudgetHold server_hold;
  BudgetHold query_hold;
};

/// Some images of one part.
struct BatchSlice {
  std::shared_ptr<const InFlightPart> part;
  std::span<const DecodeRequest> requests;  ///< of the part's

  const SegmentReader& reader() const { return part->loaded->reader(); }
};

/// What is done with a batch. Called by several workers at once.
class BatchOperator {
 public:
  virtual ~BatchOperator() = default;
  /// Answers every request of `batch` with exactly one row. Bytes for the rows are held in output_bound()
  /// already, ResultBytes() each.
  virtual void Process(Worker& worker, std::span<const BatchSlice> batch) = 0;
  /// Answers an image, or a part, that could not be read.
  virtual void Fail(const std::string& image_id, const absl::Status& status) = 0;
  /// Called once, after the last row, unless the query was cancelled.
  virtual void Finish() = 0;
  virtual ByteBudget& output_bound() = 0;
};

/// What queries share.
struct ExecContext {
  WorkerPool* workers = nullptr;
  ThreadPool* scan_threads = nullptr;
  ByteBudget* bytes_in_flight = nullptr;  ///< of chunks, over all queries
};

struct PipelineOptions {
  uint32_t batch_images = 16;
  uint64_t prefetch_bytes_max = uint64_t{32} << 20;  ///< chunks of this query read and not yet decoded
};

/// Thread-safe. Make it with std::make_shared: tasks keep it alive.
class Pipeline final : public WorkSource, public std::enable_shared_from_this<Pipeline> {
 public:
  Pipeline(ExecContext context, PipelineOptions options, std::shared_ptr<const QueryPlan> plan,
           std::shared_ptr<BatchOperator> batch_operator, std::shared_ptr<ExecCounters> counters);

  void Start();
  /// Stops within one batch. Rows that come meanwhile are dropped with the queue.
  void Cancel();
  /// To be called when rows have left: a blocked query goes on.
  void OnOutputDrained() { context_.workers->Notify(); }

  std::optional<Task> TryTake() override;

  /// Of the parts that were planned so far.
  WorkAmounts planned_work() const;

 private:
  struct ReadyPart {
    std::shared_ptr<const InFlightPart> part;
    std::span<const DecodeRequest> rest;
  };

  void PrefetchLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PlanNext(size_t index);
  void LoadPart(PlannedPart planned, BudgetHold server_hold, BudgetHold query_hold);
  void FailPart(const PlannedPart& planned, const absl::Status& status);
  bool HasMorePartsLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return planned_ || next_part_ < plan_->selection.parts.size();
  }
  std::vector<BatchSlice> TakeBatchLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool ReserveOutput(const BatchSlice& slice) const;
  void RunBatch(Worker& worker, const std::vector<BatchSlice>& batch);
  void FinishIfDone();

  const ExecContext context_;
  const PipelineOptions options_;
  const std::shared_ptr<const QueryPlan> plan_;
  const std::shared_ptr<BatchOperator> operator_;
  const std::shared_ptr<ExecCounters> counters_;
  ByteBudget query_bytes_;

  mutable absl::Mutex mutex_;
  size_t next_part_ ABSL_GUARDED_BY(mutex_) = 0;
  std::optional<PlannedPart> planned_ ABSL_GUARDED_BY(mutex_);  // waits for room
  WorkAmounts planned_work_ ABSL_GUARDED_BY(mutex_);
  bool loading_ ABSL_GUARDED_BY(mutex_) = false;  // a part is being planned or read
  std::deque<ReadyPart> ready_ ABSL_GUARDED_BY(mutex_);
  size_t running_ ABSL_GUARDED_BY(mutex_) = 0;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace freqstore

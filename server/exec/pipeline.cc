#include "server/exec/pipeline.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {

Pipeline::Pipeline(ExecContext context, PipelineOptions options, std::shared_ptr<const QueryPlan> plan,
                   std::shared_ptr<BatchOperator> batch_operator, std::shared_ptr<ExecCounters> counters)
    : context_(context),
      options_(options),
      plan_(std::move(plan)),
      operator_(std::move(batch_operator)),
      counters_(std::move(counters)),
      query_bytes_(options.prefetch_bytes_max) {}

void Pipeline::Start() {
  for (const FailedRow& row : plan_->selection.failed) operator_->Fail(row.image_id, row.status);
  context_.workers->Add(shared_from_this());
  FinishIfDone();
}

void Pipeline::Cancel() {
  std::deque<ReadyPart> dropped;  // gives its bytes back outside the lock
  {
    absl::MutexLock lock(&mutex_);
    cancelled_ = true;
    dropped.swap(ready_);
    planned_.reset();
  }
  context_.workers->Remove(this);
  dropped.clear();
  context_.workers->Notify();
}

std::optional<WorkSource::Task> Pipeline::TryTake() {
  absl::MutexLock lock(&mutex_);
  if (cancelled_ || finished_) return std::nullopt;
  PrefetchLocked();
  std::vector<BatchSlice> batch = TakeBatchLocked();
  if (batch.empty()) return std::nullopt;
  PrefetchLocked();
  ++running_;
  return [self = shared_from_this(), batch = std::move(batch)](Worker& worker) mutable {
    self->RunBatch(worker, std::exchange(batch, {}));
  };
}

// Plans the next part, or starts to read the one that is planned if it fits the bounds, unless either is
// going on.
void Pipeline::PrefetchLocked() {
  if (loading_ || cancelled_ || !HasMorePartsLocked()) return;
  if (!planned_) {
    loading_ = true;
    context_.scan_threads->Submit(
        [self = shared_from_this(), index = next_part_++] { self->PlanNext(index); });
    return;
  }
  const uint64_t bytes = planned_->column_bytes;
  if (!query_bytes_.TryAcquire(bytes)) return;
  auto query_hold = std::make_shared<BudgetHold>(&query_bytes_, bytes);
  if (!context_.bytes_in_flight->TryAcquire(bytes)) return;
  auto server_hold = std::make_shared<BudgetHold>(context_.bytes_in_flight, bytes);
  loading_ = true;
  auto planned = std::make_shared<PlannedPart>(*std::move(planned_));
  planned_.reset();
  context_.scan_threads->Submit([self = shared_from_this(), planned, server_hold, query_hold] {
    self->LoadPart(std::move(*planned), std::move(*server_hold), std::move(*query_hold));
  });
}

void Pipeline::PlanNext(size_t index) {
  PlannedPart planned;
  {
    StageTimer timer(counters_->storage_ns);
    planned = PlanPart(*plan_, index);
  }
  const bool is_failed = !planned.status.ok();
  if (is_failed) FailPart(planned, planned.status);
  {
    absl::MutexLock lock(&mutex_);
    loading_ = false;
    planned_work_ += planned.work;
    if (!is_failed && !cancelled_) planned_ = std::move(planned);
    PrefetchLocked();
  }
  context_.workers->Notify();
  FinishIfDone();
}

void Pipeline::FailPart(const PlannedPart& planned, const absl::Status& status) {
  const Part& part = plan_->snapshot->parts()[planned.part];
  // Without rows there are no ids to name: the segment's own name stands for its images.
  if (planned.rows == nullptr)
    operator_->Fail(fmt::format("segments/{}", part.segment->segment_id()), status);
  for (const DecodeRequest& request : planned.requests)
    operator_->Fail((*planned.rows)[request.ordinal].image_id, status);
}

void Pipeline::LoadPart(PlannedPart planned, BudgetHold server_hold, BudgetHold query_hold) {
  const Part& part = plan_->snapshot->parts()[planned.part];
  absl::StatusOr<std::shared_ptr<const LoadedPart>> loaded;
  {
    StageTimer timer(counters_->storage_ns);
    loaded = plan_->snapshot->Load(part, planned.rows, planned.columns);
  }
  if (!loaded.ok()) FailPart(planned, loaded.status());
  {
    absl::MutexLock lock(&mutex_);
    loading_ = false;
    if (loaded.ok() && !cancelled_) {
      (part.in_delta() ? counters_->delta_bytes : counters_->column_bytes) += (*loaded)->bytes();
      auto in_flight = std::make_shared<InFlightPart>(InFlightPart{
          *std::move(loaded), std::move(planned.requests), std::move(server_hold), std::move(query_hold)});
      const std::span<const DecodeRequest> requests = in_flight->requests;
      ready_.push_back({std::move(in_flight), requests});
    }
  }
  context_.workers->Notify();
  FinishIfDone();
}

WorkAmounts Pipeline::planned_work() const {
  absl::MutexLock lock(&mutex_);
  return planned_work_;
}

// Holds the bytes of the slice's rows if they fit. The bound grants anything when nothing is held: a single
// image always gets through in the end, several only if they are within it.
bool Pipeline::ReserveOutput(const BatchSlice& slice) const {
  uint64_t bytes = 0;
  for (const DecodeRequest& request : slice.requests) {
    bytes += ResultBytes(plan_->output, slice.reader().images()[request.ordinal], request.cut);
  }
  ByteBudget& bound = operator_->output_bound();
  if (bytes > bound.limit_bytes() && slice.requests.size() > 1) return false;
  return bound.TryAcquire(bytes);
}

// A batch of options_.batch_images, or of fewer if their results would not fit, if no more images are on the
// way, or if a part would have to be cut for it: batches of a part begin where substreams do, so that none is
// decoded twice.
std::vector<BatchSlice> Pipeline::TakeBatchLocked() {
  size_t available = 0;
  for (const ReadyPart& ready : ready_) available += ready.rest.size();
  if (available == 0 || (available < options_.batch_images && loading_)) return {};

  std::vector<BatchSlice> batch;
  size_t wanted = options_.batch_images;
  for (ReadyPart& ready : ready_) {
    if (!batch.empty() && ready.rest.size() > wanted) break;
    size_t count = std::min(wanted, ready.rest.size());
    BatchSlice slice{ready.part, ready.rest.first(count)};
    while (count > 0 && !ReserveOutput(slice)) {
      count = batch.empty() ? count / 2 : 0;
      slice.requests = ready.rest.first(count);
    }
    if (count == 0) break;
    ready.rest = ready.rest.subspan(count);
    wanted -= count;
    batch.push_back(std::move(slice));
    if (wanted == 0 || !ready.rest.empty()) break;
  }
  while (!ready_.empty() && ready_.front().rest.empty()) ready_.pop_front();
  return batch;
}

void Pipeline::RunBatch(Worker& worker, const std::vector<BatchSlice>& batch) {
  bool cancelled = false;
  {
    absl::MutexLock lock(&mutex_);
    cancelled = cancelled_;
  }
  if (!cancelled) operator_->Process(worker, batch);
  {
    absl::MutexLock lock(&mutex_);
    --running_;
  }
  FinishIfDone();
}

void Pipeline::FinishIfDone() {
  {
    absl::MutexLock lock(&mutex_);
    const bool done = !HasMorePartsLocked() && !loading_ && ready_.empty() && running_ == 0;
    if (!done || finished_ || cancelled_) return;
    finished_ = true;
  }
  context_.workers->Remove(this);
  operator_->Finish();
}

}  // namespace freqstore

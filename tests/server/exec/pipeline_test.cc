#include "server/exec/pipeline.h"

#include <atomic>
#include <map>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "absl/synchronization/mutex.h"
#include "storage/base/status.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/testutil/event.h"

namespace freqstore {
namespace {

using testutil::SmallJpeg;
using testutil::StoreHelper;

/// Counts answers by id; gives the rows' bytes back at once, or keeps them.
class Counting final : public BatchOperator {
 public:
  Counting(std::shared_ptr<const QueryPlan> plan, uint64_t output_bytes_max, bool keep_bytes)
      : plan_(std::move(plan)), bound_(output_bytes_max), keep_bytes_(keep_bytes) {}

  void Process(Worker&, std::span<const BatchSlice> batch) override {
    size_t images = 0;
    for (const BatchSlice& slice : batch) {
      for (const DecodeRequest& request : slice.requests) {
        const ImageRecord& image = slice.reader().images()[request.ordinal];
        if (!keep_bytes_) bound_.Release(ResultBytes(plan_->output, image, request.cut));
        absl::MutexLock lock(&mutex_);
        ++answers_[image.image_id];
        ++images;
      }
    }
    absl::MutexLock lock(&mutex_);
    batch_images_max_ = std::max(batch_images_max_, images);
  }
  void Fail(const std::string& image_id, const absl::Status& status) override {
    absl::MutexLock lock(&mutex_);
    failures_[image_id] = ReasonOf(status);
  }
  void Finish() override { finished_.Notify(); }
  ByteBudget& output_bound() override { return bound_; }

  void WaitForEnd() { finished_.Wait(); }
  bool ended() const { return finished_.happened(); }
  std::map<std::string, int> answers() const {
    absl::MutexLock lock(&mutex_);
    return answers_;
  }
  std::map<std::string, std::string> failures() const {
    absl::MutexLock lock(&mutex_);
    return failures_;
  }
  size_t batch_images_max() const {
    absl::MutexLock lock(&mutex_);
    return batch_images_max_;
  }

 private:
  const std::shared_ptr<const QueryPlan> plan_;
  ByteBudget bound_;
  const bool keep_bytes_;
  mutable absl::Mutex mutex_;
  std::map<std::string, int> answers_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::string> failures_ ABSL_GUARDED_BY(mutex_);
  size_t batch_images_max_ ABSL_GUARDED_BY(mutex_) = 0;
  testutil::Event finished_;
};

ImportOptions SegmentsOf40() {
  ImportOptions options;
  options.segment.images = 40;
  return options;
}

/// 100 images in two segments and the delta, and what a pipeline needs to run over them.
class Bench {
 public:
  explicit Bench(uint64_t bytes_in_flight_max = uint64_t{1} << 30)
      : store_(SegmentsOf40()), budget_(bytes_in_flight_max) {
    REQUIRE(store_.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
    for (int first : {0, 40, 80}) {
      std::vector<std::pair<std::string, std::string>> files;
      for (int i = first; i < std::min(first + 40, 85); ++i)
        files.emplace_back(fmt::format("{}", i), SmallJpeg(i));
      store_.Import("d", files);
    }
  }

  std::shared_ptr<const QueryPlan> Plan(const std::vector<std::string>& ids = {}) {
    const auto snapshot = *store_.engine().Snapshot("d");
    return std::make_shared<const QueryPlan>(
        QueryPlan{snapshot, ReducedPixels{8, true}, {}, SelectRows(*snapshot, ids)});
  }
  std::shared_ptr<Pipeline> Start(const std::shared_ptr<const QueryPlan>& plan,
                                  const std::shared_ptr<Counting>& op) {
    auto pipeline = std::make_shared<Pipeline>(ExecContext{&workers_, &scan_threads_, &budget_},
                                               PipelineOptions{}, plan, op, std::make_shared<ExecCounters>());
    pipeline->Start();
    return pipeline;
  }
  ByteBudget& budget() { return budget_; }

 private:
  StoreHelper store_;
  ByteBudget budget_;
  WorkerPool workers_{2, [] { return std::unique_ptr<Device>(); }};
  ThreadPool scan_threads_{2};
};

void RequireEachOnce(const std::map<std::string, int>& answers, size_t count) {
  REQUIRE(answers.size() == count);
  for (const auto& [id, times] : answers) REQUIRE(times == 1);
}

TEST_CASE("every image of segments and delta is answered once, in batches across parts") {
  Bench bench;
  const auto plan = bench.Plan();
  const auto counting = std::make_shared<Counting>(plan, uint64_t{1} << 30, false);
  const auto pipeline = bench.Start(plan, counting);
  counting->WaitForEnd();
  RequireEachOnce(counting->answers(), 85);
  REQUIRE(counting->batch_images_max() <= 16);
}

TEST_CASE("queries share a budget of bytes in flight that is smaller than a part") {
  Bench bench(1);
  std::vector<std::shared_ptr<Counting>> operators;
  std::vector<std::shared_ptr<Pipeline>> pipelines;
  for (int i = 0; i < 8; ++i) {
    const auto plan = bench.Plan();
    operators.push_back(std::make_shared<Counting>(plan, uint64_t{1} << 30, false));
    pipelines.push_back(bench.Start(plan, operators.back()));
  }
  for (const auto& counting : operators) {
    counting->WaitForEnd();
    RequireEachOnce(counting->answers(), 85);
  }
}

TEST_CASE("a query whose rows are not taken stops at its bound, and goes on when they are") {
  Bench bench;
  const auto plan = bench.Plan();
  constexpr uint64_t kRowBytes = 3 * 40 * 24;
  const auto counting = std::make_shared<Counting>(plan, 10 * kRowBytes, true);
  const auto pipeline = bench.Start(plan, counting);
  size_t answered = 0;
  while (answered < 85) {
    while (counting->output_bound().held_bytes() == 0) std::this_thread::yield();
    REQUIRE(counting->output_bound().held_bytes() <= 10 * kRowBytes);
    const uint64_t held = counting->output_bound().held_bytes();
    answered += held / kRowBytes;
    counting->output_bound().Release(held);
    pipeline->OnOutputDrained();
  }
  counting->WaitForEnd();
  RequireEachOnce(counting->answers(), 85);
}

TEST_CASE("a cancelled query ends within a batch and gives its bytes back") {
  Bench bench;
  const auto plan = bench.Plan();
  const auto counting = std::make_shared<Counting>(plan, 1, true);  // one row, then it is stuck
  auto pipeline = bench.Start(plan, counting);
  while (counting->answers().empty()) std::this_thread::yield();
  pipeline->Cancel();
  pipeline.reset();
  while (bench.budget().held_bytes() > 0) std::this_thread::yield();
  REQUIRE(counting->answers().size() < 85);
  REQUIRE_FALSE(counting->ended());
}

TEST_CASE("ids that do not exist are answered with their error, and nothing to do is an end") {
  Bench bench;
  const auto plan = bench.Plan({"nobody"});
  const auto counting = std::make_shared<Counting>(plan, 100, false);
  const auto pipeline = bench.Start(plan, counting);
  counting->WaitForEnd();
  REQUIRE(counting->failures().at("nobody") == "IMAGE_NOT_FOUND");
  REQUIRE(counting->answers().empty());
}

}  // namespace
}  // namespace freqstore

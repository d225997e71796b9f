#include "server/plan/planner.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "server/plan/explain.h"
#include "storage/base/status.h"
#include "tests/storage/engine/store_helper.h"

namespace freqstore {
namespace {

using testutil::SmallJpeg;
using testutil::StoreHelper;

class Planned {
 public:
  Planned() {
    REQUIRE(store_.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
    std::vector<std::pair<std::string, std::string>> files;
    for (int i = 0; i < 10; ++i) files.emplace_back(fmt::format("{}", i), SmallJpeg(i, 160, 120));
    store_.Import("d", files);
    REQUIRE(store_.engine().Flush("d").ok());
    store_.Import("d", {{"recent", SmallJpeg(10, 160, 120)}});
  }

  QueryPlan Plan(QueryOutput output, const std::vector<std::string>& ids = {}) {
    const auto snapshot = *store_.engine().Snapshot("d");
    return {snapshot, std::move(output), {}, SelectRows(*snapshot, ids)};
  }
  QueryPlan PlanFiltered(QueryOutput output, const Predicate& predicate) {
    const auto snapshot = *store_.engine().Snapshot("d");
    return {snapshot, std::move(output), "a filter", SelectRows(*snapshot, {}, predicate)};
  }
  PlanSummary Sum(const QueryPlan& plan) const { return Summarize(plan, costs_, 2); }

 private:
  StoreHelper store_;
  CostModel costs_;
};

TEST_CASE("a plan covers every image once and counts the bytes of its columns") {
  Planned planned;
  const PlanSummary plan = planned.Sum(planned.Plan(ReducedPixels{1, true}));
  REQUIRE(plan.images == 11);
  REQUIRE(plan.segments == 1);
  REQUIRE(plan.delta_images == 1);
  REQUIRE(plan.columns.size() == 3 * 4 - 3);  // Y at 1x1, chroma of 4:2:0 at 2x2
  uint64_t bytes = 0;
  for (const auto& [column, column_bytes] : plan.columns) bytes += column_bytes;
  REQUIRE(bytes == plan.estimated.column_bytes);
  REQUIRE(plan.estimated.delta_bytes > 0);
  REQUIRE(plan.estimated.column_bytes < plan.stored_bytes);
  REQUIRE(plan.cuts.size() == 1);
  REQUIRE(plan.cuts[0].images == 11);
}

TEST_CASE("a larger scale reads more") {
  Planned planned;
  uint64_t previous = 0;
  for (int k = 1; k <= 8; ++k) {
    const uint64_t bytes = planned.Sum(planned.Plan(ReducedPixels{k, true})).estimated.column_bytes;
    REQUIRE(bytes >= previous);
    previous = bytes;
  }
}

TEST_CASE("ids choose images, are taken once, and fail one by one") {
  Planned planned;
  const QueryPlan plan = planned.Plan(LowCoefficients{2}, {"3", "recent", "3", "nobody"});
  REQUIRE(planned.Sum(plan).images == 2);
  REQUIRE(plan.selection.failed.size() == 1);
  REQUIRE(ReasonOf(plan.selection.failed[0].status) == "IMAGE_NOT_FOUND");
}

TEST_CASE("a filter leaves segments unread whose bounds rule it out") {
  Planned planned;
  const Predicate wide = Predicate::Compare(static_cast<uint32_t>(SystemAttribute::kWidth),
                                            Predicate::Comparison::kGreater, int64_t{160});
  const QueryPlan none = planned.PlanFiltered(ReducedPixels{1, true}, wide);
  REQUIRE(none.selection.parts.empty());
  REQUIRE(none.selection.segments_skipped == 1);

  const Predicate recent = Predicate::Compare(static_cast<uint32_t>(SystemAttribute::kImageId),
                                              Predicate::Comparison::kGreaterOrEqual, std::string("8"));
  const QueryPlan some = planned.PlanFiltered(ReducedPixels{1, true}, recent);
  const PlanSummary summary = planned.Sum(some);
  REQUIRE(summary.images == 3);
  REQUIRE(summary.delta_images == 1);
  const std::string text = ExplainText(some, summary, {2, "cpu", 16}, std::nullopt);
  INFO(text);
  REQUIRE(text.find("Filter  a filter: 3 of 11 images; 0 of 1 segments skipped") != std::string::npos);
}

TEST_CASE("the text of a plan says what is read, how, and at what cost") {
  Planned planned;
  ModelInput input;
  input.model = "m";
  input.render.resize = {ResizeRule::Kind::kStretch, 64, 64, 0};
  const QueryPlan plan = planned.Plan(input);
  const PlanSummary summary = planned.Sum(plan);
  const std::string text = ExplainText(plan, summary, {2, "cpu", 16}, std::nullopt);
  for (const char* part : {"datasets/d", "models/m", "fidelity standard", "11 in 1 segments", "delta", "###",
                           "5/8", "stretched to 64x64", "batches of 16 on 2 x cpu", "estimated"}) {
    INFO(text);
    REQUIRE(text.find(part) != std::string::npos);
  }
  REQUIRE(text.find("actual") == std::string::npos);
  REQUIRE(ExplainText(plan, summary, {2, "cpu", 16}, Measures{}).find("actual") != std::string::npos);
}

}  // namespace
}  // namespace freqstore

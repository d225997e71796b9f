#include "server/plan/plan_summary.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace freqstore {
namespace {

class Summarizer {
 public:
  explicit Summarizer(const QueryPlan& plan) : plan_(plan) {}

  void Add(const PlannedPart& planned) {
    if (planned.rows == nullptr) return;
    work_ += planned.work;
    for (size_t i = 0; i < planned.requests.size(); ++i) {
      const DecodeRequest& request = planned.requests[i];
      ++summary_.images;
      summary_.file_bytes += (*planned.rows)[request.ordinal].file_bytes;
      CountCut(planned.covers[i], request.cut);
    }
    const Part& part = plan_.snapshot->parts()[planned.part];
    if (part.in_delta()) {
      ++summary_.delta_images;
      summary_.stored_bytes += planned.column_bytes;
      summary_.estimated.delta_bytes += planned.column_bytes;
      return;
    }
    ++summary_.segments;
    summary_.estimated.column_bytes += planned.column_bytes;
    for (const storage::v1::ColumnMeta& column : part.segment->columns()) {
      summary_.stored_bytes += column.bytes();
      const ColumnId id{static_cast<uint8_t>(column.component()), static_cast<uint16_t>(column.frequency())};
      if (planned.columns.Contains(id)) column_bytes_[id] += column.bytes();
    }
  }

  PlanSummary Finish(const CostModel& costs, size_t workers) {
    summary_.columns.assign(column_bytes_.begin(), column_bytes_.end());
    std::ranges::stable_sort(summary_.cuts, std::greater(), &CutGroup::images);
    summary_.estimated.rows = summary_.images;
    summary_.estimated.result_bytes = work_.result_bytes;
    const auto* input = std::get_if<ModelInput>(&plan_.output);
    costs.Estimate(work_, input != nullptr ? input->seconds_per_image : 0.0, workers, summary_.estimated);
    return std::move(summary_);
  }

 private:
  void CountCut(int cover, const ImageCut& cut) {
    const auto group = std::ranges::find_if(
        summary_.cuts, [&](const CutGroup& other) { return other.cover == cover && other.cut == cut; });
    if (group != summary_.cuts.end()) {
      ++group->images;
    } else {
      summary_.cuts.push_back({cover, cut, 1});
    }
  }

  const QueryPlan& plan_;
  PlanSummary summary_;
  WorkAmounts work_;
  std::map<ColumnId, uint64_t> column_bytes_;
};

}  // namespace

PlanSummary Summarize(const QueryPlan& plan, const CostModel& costs, size_t workers) {
  Summarizer summarizer(plan);
  for (size_t i = 0; i < plan.selection.parts.size(); ++i) summarizer.Add(PlanPart(plan, i));
  return summarizer.Finish(costs, workers);
}

}  // namespace freqstore

#include "server/plan/cost_model.h"

#include <algorithm>

namespace freqstore {
namespace {

constexpr double kNewestWeight = 0.3;
/// Less work than this says nothing about a rate.
constexpr double kUnitsMin = 1e5;

}  // namespace

void CostModel::Rate::Observe(double seconds, double units) {
  if (units < kUnitsMin || seconds <= 0) return;
  seconds_per_unit += kNewestWeight * (seconds / units - seconds_per_unit);
}

void CostModel::Estimate(const WorkAmounts& work, double seconds_per_image, size_t workers,
                         Measures& measures) const {
  {
    absl::MutexLock lock(&mutex_);
    measures.storage_seconds = storage_.seconds_per_unit * double(work.bytes);
    measures.decode_seconds = decode_.seconds_per_unit * double(work.values);
    measures.render_seconds = render_.seconds_per_unit * double(work.render_units);
    measures.send_seconds = send_.seconds_per_unit * double(work.result_bytes);
  }
  measures.model_seconds = seconds_per_image * double(work.model_images);
  const double on_workers = measures.decode_seconds + measures.render_seconds + measures.model_seconds;
  measures.elapsed_seconds = std::max(
      {measures.storage_seconds, measures.send_seconds, on_workers / double(std::max<size_t>(workers, 1))});
}

void CostModel::Observe(const WorkAmounts& work, const Measures& measures) {
  absl::MutexLock lock(&mutex_);
  storage_.Observe(measures.storage_seconds, double(work.bytes));
  decode_.Observe(measures.decode_seconds, double(work.values));
  render_.Observe(measures.render_seconds, double(work.render_units));
  send_.Observe(measures.send_seconds, double(work.result_bytes));
}

}  // namespace freqstore

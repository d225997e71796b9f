#include "server/exec/scan_operator.h"

#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {

ScanOperator::ScanOperator(std::shared_ptr<const QueryPlan> plan, uint64_t row_bytes_max,
                           std::shared_ptr<ScanQueue> queue, std::shared_ptr<ExecCounters> counters)
    : plan_(std::move(plan)),
      row_bytes_max_(row_bytes_max),
      queue_(std::move(queue)),
      counters_(std::move(counters)) {}

void ScanOperator::Process(Worker& worker, std::span<const BatchSlice> batch) {
  StageTimer decode(counters_->decode_ns);
  for (const BatchSlice& slice : batch) {
    std::vector<bool> answered(slice.requests.size());
    const absl::Status status =
        worker.device().Decode(slice.reader(), slice.requests,
                               [&](size_t index, const absl::Status& decoded, const DecodedImage* image) {
                                 const NestedStage render(decode, counters_->render_ns);
                                 answered[index] = true;
                                 Answer(worker.device(), slice, index, decoded, image);
                               });
    for (size_t index = 0; index < answered.size(); ++index) {
      if (!answered[index]) Answer(worker.device(), slice, index, status, nullptr);
    }
  }
}

void ScanOperator::Answer(Device& device, const BatchSlice& slice, size_t index, const absl::Status& decoded,
                          const DecodedImage* image) {
  const ImageRecord& record = slice.reader().images()[slice.requests[index].ordinal];
  const uint64_t bytes = ResultBytes(plan_->output, record, slice.requests[index].cut);
  ScanRow row{record.image_id, decoded, {}};
  if (row.status.ok() && bytes > row_bytes_max_) {
    row.status =
        MakeError(absl::StatusCode::kResourceExhausted, "LIMIT_ROW_BYTES",
                  fmt::format("'{}' would give {} bytes, above the limit of {} (--row-bytes-max); ask for a "
                              "smaller scale",
                              record.image_id, bytes, row_bytes_max_));
  }
  if (row.status.ok()) row.status = Fill(device, *image, record, row);
  Push(std::move(row), bytes);
}

absl::Status ScanOperator::Fill(Device& device, const DecodedImage& image, const ImageRecord& record,
                                ScanRow& row) const {
  if (const auto* pixels = std::get_if<ReducedPixels>(&plan_->output)) {
    ASSIGN_OR_RETURN(row.content, device.RenderReduced(image, pixels->k, pixels->apply_orientation));
    return absl::OkStatus();
  }
  CoefficientRow coefficients;
  coefficients.geometry = record.geometry;
  ASSIGN_OR_RETURN(coefficients.components, device.CopyCoefficients(image));
  row.content = std::move(coefficients);
  return absl::OkStatus();
}

void ScanOperator::Fail(const std::string& image_id, const absl::Status& status) {
  Push({image_id, status, {}}, 0);
}

void ScanOperator::Push(ScanRow row, uint64_t bytes) {
  ++(row.status.ok() ? counters_->rows_ok : counters_->rows_failed);
  queue_->Push(std::move(row), bytes);
}

}  // namespace freqstore

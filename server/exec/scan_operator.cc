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
  for (const BatchSlice& slice : batch) {
    absl::StatusOr<std::unique_ptr<DecodedImages>> images = nullptr;
    {
      StageTimer timer(counters_->decode_ns);
      images = worker.device().Decode(slice.reader(), slice.requests);
    }
    for (size_t i = 0; i < slice.requests.size(); ++i) {
      const ImageRecord& image = slice.reader().images()[slice.requests[i].ordinal];
      const uint64_t bytes = ResultBytes(plan_->output, image, slice.requests[i].cut);
      ScanRow row{image.image_id, images.ok() ? (*images)->status(i) : images.status(), {}};
      if (row.status.ok() && bytes > row_bytes_max_) {
        row.status = MakeError(
            absl::StatusCode::kResourceExhausted, "LIMIT_ROW_BYTES",
            fmt::format("'{}' would give {} bytes, above the limit of {} (--row-bytes-max); ask for a "
                        "smaller scale",
                        image.image_id, bytes, row_bytes_max_));
      }
      if (row.status.ok()) {
        StageTimer timer(counters_->render_ns);
        row.status = Fill(worker.device(), **images, i, image, row);
      }
      Push(std::move(row), bytes);
    }
  }
}

absl::Status ScanOperator::Fill(Device& device, const DecodedImages& images, size_t index,
                                const ImageRecord& image, ScanRow& row) const {
  if (const auto* pixels = std::get_if<ReducedPixels>(&plan_->output)) {
    ASSIGN_OR_RETURN(row.content, device.RenderReduced(images, index, pixels->k, pixels->apply_orientation));
    return absl::OkStatus();
  }
  CoefficientRow coefficients;
  coefficients.geometry = image.geometry;
  ASSIGN_OR_RETURN(coefficients.components, device.CopyCoefficients(images, index));
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

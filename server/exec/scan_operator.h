// Decode and hand out: what `scan` does with a batch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "server/exec/pipeline.h"
#include "server/exec/result_queue.h"

namespace freqstore {

/// Coefficients and what they belong to.
struct CoefficientRow {
  ImageGeometry geometry;
  std::vector<CoefficientPlanes> components;
};

struct ScanRow {
  std::string image_id;
  absl::Status status;
  std::variant<std::monostate, RgbImage, CoefficientRow> content;
};

using ScanQueue = ResultQueue<ScanRow>;

class ScanOperator final : public BatchOperator {
 public:
  /// Rows above `row_bytes_max` are refused one by one: RESOURCE_EXHAUSTED (LIMIT_ROW_BYTES).
  ScanOperator(std::shared_ptr<const QueryPlan> plan, uint64_t row_bytes_max,
               std::shared_ptr<ScanQueue> queue, std::shared_ptr<ExecCounters> counters);

  void Process(Worker& worker, std::span<const BatchSlice> batch) override;
  void Fail(const std::string& image_id, const absl::Status& status) override;
  void Finish() override { queue_->Close(); }
  ByteBudget& output_bound() override { return queue_->bound(); }

 private:
  void Answer(Device& device, const BatchSlice& slice, size_t index, const absl::Status& decoded,
              const DecodedImage* image);
  absl::Status Fill(Device& device, const DecodedImage& image, const ImageRecord& record, ScanRow& row) const;
  void Push(ScanRow row, uint64_t bytes);

  const std::shared_ptr<const QueryPlan> plan_;
  const uint64_t row_bytes_max_;
  const std::shared_ptr<ScanQueue> queue_;
  const std::shared_ptr<ExecCounters> counters_;
};

}  // namespace freqstore

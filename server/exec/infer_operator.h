// Decode, render, model, best classes: what `infer` does with a batch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gpu/model/model.h"
#include "server/exec/pipeline.h"
#include "server/exec/result_queue.h"

namespace freqstore {

struct ClassScore {
  uint32_t class_index = 0;
  float score = 0;
};

struct InferRow {
  std::string image_id;
  absl::Status status;
  std::vector<ClassScore> top;  ///< best first
  Shape output_shape;           ///< without the batch dimension; only if the raw output was asked for
  std::vector<float> output;
};

using InferQueue = ResultQueue<InferRow>;

struct InferOptions {
  uint32_t top = 1;         ///< classes a row
  bool raw_output = false;  ///< the first output as it is instead
  uint32_t batch_images = 16;
};

/// True if `model`'s first output is one score a class: batch x classes, perhaps with further dimensions
/// of 1.
bool IsClassifier(const Model& model);

/// Bytes of one row but its id.
uint64_t InferRowBytes(const Model& model, const InferOptions& options);

class InferOperator final : public BatchOperator {
 public:
  InferOperator(std::shared_ptr<const QueryPlan> plan, std::shared_ptr<const Model> model,
                InferOptions options, std::shared_ptr<InferQueue> queue,
                std::shared_ptr<ExecCounters> counters);

  void Process(Worker& worker, std::span<const BatchSlice> batch) override;
  void Fail(const std::string& image_id, const absl::Status& status) override;
  void Finish() override { queue_->Close(); }
  ByteBudget& output_bound() override { return queue_->bound(); }

 private:
  struct Row {
    InferRow row;
    uint64_t bytes;
  };
  absl::Status RenderBatch(Worker& worker, std::span<const BatchSlice> batch, Tensor& input,
                           std::vector<Row>& rows, std::vector<size_t>& rendered);
  absl::Status RunModel(Worker& worker, LoadedModel& model, const Tensor& input, std::vector<Row>& rows,
                        const std::vector<size_t>& rendered);
  void Push(Row row);

  const std::shared_ptr<const QueryPlan> plan_;
  const std::shared_ptr<const Model> model_;
  const InferOptions options_;
  const std::shared_ptr<InferQueue> queue_;
  const std::shared_ptr<ExecCounters> counters_;
  const RenderSpec render_;
};

}  // namespace freqstore

#include "server/exec/infer_operator.h"

#include <utility>

#include "server/exec/top_classes.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

/// Elements of the first output for one image; dynamic dimensions count as 1.
uint64_t OutputElements(const Model& model) {
  uint64_t elements = 1;
  const std::vector<int64_t>& shape = model.outputs().front().shape;
  for (size_t i = 1; i < shape.size(); ++i) elements *= static_cast<uint64_t>(std::max<int64_t>(shape[i], 1));
  return elements;
}

}  // namespace

bool IsClassifier(const Model& model) {
  const std::vector<int64_t>& shape = model.outputs().front().shape;
  return shape.size() >= 2 && shape[1] > 1 && OutputElements(model) == static_cast<uint64_t>(shape[1]);
}

uint64_t InferRowBytes(const Model& model, const InferOptions& options) {
  constexpr uint64_t kRowOverhead = 64;
  return kRowOverhead + (options.raw_output ? sizeof(float) * OutputElements(model)
                                            : sizeof(ClassScore) * uint64_t{options.top});
}

InferOperator::InferOperator(std::shared_ptr<const QueryPlan> plan, std::shared_ptr<const Model> model,
                             InferOptions options, std::shared_ptr<InferQueue> queue,
                             std::shared_ptr<ExecCounters> counters)
    : plan_(std::move(plan)),
      model_(std::move(model)),
      options_(options),
      queue_(std::move(queue)),
      counters_(std::move(counters)),
      render_(std::get<ModelInput>(plan_->output).render) {}

void InferOperator::Process(Worker& worker, std::span<const BatchSlice> batch) {
  std::vector<Row> rows;
  for (const BatchSlice& slice : batch) {
    for (const DecodeRequest& request : slice.requests) {
      const ImageRecord& image = slice.reader().images()[request.ordinal];
      rows.push_back({{image.image_id, {}, {}, {}, {}}, ResultBytes(plan_->output, image, request.cut)});
    }
  }
  const Shape input_shape = {options_.batch_images, 3, render_.resize.height, render_.resize.width};
  const auto run = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const Worker::Prepared prepared, worker.Prepare(model_, input_shape));
    std::vector<size_t> rendered;  // the row of each tensor row
    RETURN_IF_ERROR(RenderBatch(worker, batch, *prepared.input, rows, rendered));
    if (rendered.empty()) return absl::OkStatus();
    return RunModel(worker, *prepared.model, *prepared.input, rows, rendered);
  };
  if (const absl::Status status = run(); !status.ok()) {
    for (Row& row : rows) row.row.status.Update(status);
  }
  for (Row& row : rows) Push(std::move(row));
}

absl::Status InferOperator::RenderBatch(Worker& worker, std::span<const BatchSlice> batch, Tensor& input,
                                        std::vector<Row>& rows, std::vector<size_t>& rendered) {
  StageTimer decode(counters_->decode_ns);
  size_t first_row = 0;
  for (const BatchSlice& slice : batch) {
    RETURN_IF_ERROR(worker.device().Decode(
        slice.reader(), slice.requests,
        [&](size_t index, const absl::Status& decoded, const DecodedImage* image) {
          const NestedStage render(decode, counters_->render_ns);
          absl::Status& status = rows[first_row + index].row.status;
          status = decoded;
          if (status.ok())
            status = worker.device().Render(*image, render_, input, static_cast<int64_t>(rendered.size()));
          if (status.ok()) rendered.push_back(first_row + index);
        }));
    first_row += slice.requests.size();
  }
  return absl::OkStatus();
}

absl::Status InferOperator::RunModel(Worker& worker, LoadedModel& model, const Tensor& input,
                                     std::vector<Row>& rows, const std::vector<size_t>& rendered) {
  StageTimer timer(counters_->model_ns);
  ASSIGN_OR_RETURN(const std::vector<const Tensor*> outputs,
                   model.Run(input, static_cast<int64_t>(rendered.size())));
  const Tensor& output = *outputs.front();
  const auto elements = static_cast<size_t>(ElementCount(output.shape())) / rendered.size();
  std::vector<float> values(elements * rendered.size());
  RETURN_IF_ERROR(worker.device().CopyToHost(output, values));
  for (size_t i = 0; i < rendered.size(); ++i) {
    const std::span<const float> scores(values.data() + i * elements, elements);
    InferRow& row = rows[rendered[i]].row;
    if (options_.raw_output) {
      row.output_shape.assign(output.shape().begin() + 1, output.shape().end());
      row.output.assign(scores.begin(), scores.end());
    } else {
      row.top = TopClasses(scores, options_.top);
    }
  }
  return absl::OkStatus();
}

void InferOperator::Fail(const std::string& image_id, const absl::Status& status) {
  Push({{image_id, status, {}, {}, {}}, 0});
}

void InferOperator::Push(Row row) {
  ++(row.row.status.ok() ? counters_->rows_ok : counters_->rows_failed);
  queue_->Push(std::move(row.row), row.bytes);
}

}  // namespace freqstore

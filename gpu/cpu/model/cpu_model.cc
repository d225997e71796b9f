#include "gpu/cpu/model/cpu_model.h"

#include <list>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "gpu/cpu/model/cpu_tensor.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/cpu/model/execution_plan.h"
#include "gpu/cpu/model/plan_builder.h"
#include "gpu/cpu/model/single_thread_scope.h"
#include "gpu/cpu/model/weight_store.h"
#include "gpu/model/graph.h"
#include "gpu/model/specialization.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr size_t kPlansMax = 4;

/// Calls `work`, which returns a Status or StatusOr, with oneDNN on this thread and its exceptions made
/// statuses.
template <typename Work>
auto Guarded(Work work) -> decltype(work()) {
  const SingleThreadScope single_thread;
  try {
    return work();
  } catch (const dnnl::error& error) {
    return FromDnnl(error);
  } catch (const std::bad_alloc&) {
    return MakeError(absl::StatusCode::kResourceExhausted, "OUT_OF_DEVICE_MEMORY",
                     "out of memory for a model");
  }
}

class CpuModel final : public LoadedModel {
 public:
  explicit CpuModel(std::shared_ptr<const Model> model)
      : model_(std::move(model)), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_), weights_(engine_) {}

  absl::StatusOr<std::vector<const Tensor*>> Run(const Tensor& input, int64_t rows) override {
    RETURN_IF_ERROR(CheckInput(input, rows));
    const auto& tensor = static_cast<const CpuTensor&>(input);
    return Guarded([&]() -> absl::StatusOr<std::vector<const Tensor*>> {
      ASSIGN_OR_RETURN(ExecutionPlan * plan, PlanFor(rows));
      plan->Run(tensor.floats().data(), stream_);
      std::vector<const Tensor*> outputs;
      for (const auto& output : plan->outputs()) outputs.push_back(output.get());
      return outputs;
    });
  }

  /// The plan for a batch of `rows`, compiled if it is not there. Throws dnnl::error.
  absl::StatusOr<ExecutionPlan*> PlanFor(int64_t rows) {
    for (auto it = plans_.begin(); it != plans_.end(); ++it) {
      if (it->first == rows) {
        plans_.splice(plans_.begin(), plans_, it);
        return plans_.front().second.get();
      }
    }
    ASSIGN_OR_RETURN(std::unique_ptr<ExecutionPlan> plan, Compile(rows));
    if (plans_.size() == kPlansMax) plans_.pop_back();
    plans_.emplace_front(rows, std::move(plan));
    return plans_.front().second.get();
  }

 private:
  static Shape WithBatch(Shape shape, int64_t rows) {
    shape[0] = rows;
    return shape;
  }

  absl::Status CheckInput(const Tensor& input, int64_t rows) const {
    const Shape& shape = input.shape();
    constexpr int64_t kRowsMax = 65'536;
    const bool fits = input.type() == DataType::kFloat32 && !shape.empty() && rows >= 1 && rows <= kRowsMax &&
                      rows <= shape[0] && WithBatch(shape, kBatchDimension) == model_->input().shape;
    if (fits) return absl::OkStatus();
    return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_SHAPE",
                     fmt::format("{} rows of a {} tensor of {} do not fit a model that takes {}", rows,
                                 NameOf(input.type()), ToString(shape), ToString(model_->input().shape)));
  }

  absl::StatusOr<std::unique_ptr<ExecutionPlan>> Compile(int64_t rows) {
    const Shape input = WithBatch(model_->input().shape, rows);
    ASSIGN_OR_RETURN(Specialization specialization, Specialize(model_->graph(), {&input, 1}));
    PlanBuilder builder(model_->graph(), specialization, engine_, weights_);
    RETURN_IF_ERROR(builder.LowerAll());
    std::vector<Shape> outputs;
    for (const ValueInfo& output : model_->outputs()) outputs.push_back(WithBatch(output.shape, rows));
    return builder.Finish(outputs);
  }

  std::shared_ptr<const Model> model_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  WeightStore weights_;
  std::list<std::pair<int64_t, std::unique_ptr<ExecutionPlan>>> plans_;  // most recently used first
};

}  // namespace

absl::StatusOr<std::unique_ptr<LoadedModel>> LoadCpuModel(std::shared_ptr<const Model> model) {
  return Guarded([&]() -> absl::StatusOr<std::unique_ptr<LoadedModel>> {
    auto loaded = std::make_unique<CpuModel>(std::move(model));
    // Compiling for one image finds out now what this device cannot run.
    if (absl::StatusOr<ExecutionPlan*> plan = loaded->PlanFor(1); !plan.ok()) return plan.status();
    return loaded;
  });
}

}  // namespace freqstore

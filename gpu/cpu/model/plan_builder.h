// Builds an ExecutionPlan node by node: what operators' lowerings write to.
#pragma once

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include <dnnl.hpp>

#include "absl/status/statusor.h"
#include "gpu/cpu/model/execution_plan.h"
#include "gpu/cpu/model/weight_store.h"
#include "gpu/model/graph.h"
#include "gpu/model/specialization.h"

namespace freqstore {

/// A lowering is a function of a builder and a NodeContext that loads the node's inputs, adds steps and
/// stores its output. Values keep the layout their producer chose; a reader that needs another gets a
/// reordered copy, which later readers share. Everything here may throw dnnl::error.
class PlanBuilder {
 public:
  /// All outlive the builder. `weights` outlives nothing it hands out: oneDNN counts references.
  PlanBuilder(const Graph& graph, Specialization& specialization, const dnnl::engine& engine,
              WeightStore& weights);

  const dnnl::engine& engine() const { return engine_; }
  /// For every primitive: the scratchpad is the plan's.
  static dnnl::primitive_attr Attributes();

  /// Lowers all nodes.
  absl::Status LowerAll();
  /// Ends building. `output_shapes`: one an output of the graph.
  absl::StatusOr<std::unique_ptr<ExecutionPlan>> Finish(std::span<const Shape> output_shapes);

  /// The value, as its producer laid it out. Constants are row-major.
  Operand Load(ValueId id);
  Operand LoadAs(ValueId id, const dnnl::memory::desc& desc);
  Operand LoadRowMajor(ValueId id);
  /// A constant read as `view`, in the layout `packed`.
  Operand LoadPacked(ValueId id, const dnnl::memory::desc& view, const dnnl::memory::desc& packed);

  /// True if nobody reads `operand` after the node being lowered, so that the node may write its result
  /// there; it has to see to it that it does not read the buffer by another of its inputs.
  bool MayOverwrite(const Operand& operand) const;

  /// A new buffer, in which no value lies yet.
  Operand Allocate(const dnnl::memory::desc& desc);
  /// A new buffer for the value.
  Operand Store(ValueId id, const dnnl::memory::desc& desc);
  /// The value lies where `operand` is.
  void StoreAt(ValueId id, const Operand& operand);

  /// `primitive_desc` is that of the primitive; its scratchpad is added to the arguments.
  template <typename Primitive>
  void AddPrimitive(const typename Primitive::primitive_desc& primitive_desc,
                    std::vector<std::pair<int, Operand>> arguments) {
    PlanStep step{.primitive = Primitive(primitive_desc),
                  .arguments = std::move(arguments),
                  .scratchpad = primitive_desc.scratchpad_desc()};
    AddStep(std::move(step));
  }
  void AddReorder(const Operand& from, const Operand& to);
  /// A new buffer with `source`, row-major of shape `from`, broadcast to shape `to`.
  Operand AddExpand(const Operand& source, const Shape& from, const Shape& to);
  void AddNative(std::vector<Operand> inputs, const Operand& output, NativeStep native);

 private:
  struct Placed {
    Operand primary;
    std::vector<Operand> copies;  // in other layouts
  };

  int AddBuffer(PlanBuffer buffer);
  void AddStep(PlanStep step);
  void Touch(const Operand& operand);

  const Graph& graph_;
  Specialization& specialization_;
  dnnl::engine engine_;
  WeightStore& weights_;

  size_t position_ = 0;  // in the schedule, of the node being lowered
  std::vector<size_t>
      last_reads_;              // of each value: position in the schedule; outputs are read after the last
  std::vector<Placed> placed_;  // of each value
  std::vector<PlanStep> steps_;
  std::vector<PlanBuffer> buffers_;
  std::vector<std::vector<ValueId>> holders_;  // of each buffer: the values that lie in it
};

}  // namespace freqstore

#include "gpu/cpu/model/plan_builder.h"

#include <algorithm>

#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/cpu/model/native_loops.h"
#include "gpu/model/operator_def.h"
#include "gpu/model/operators/broadcast.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr int kInputBuffer = 0;

size_t Index(int id) {
  return static_cast<size_t>(id);
}

std::vector<size_t> LastReads(const Graph& graph, const std::vector<size_t>& schedule) {
  std::vector<size_t> last(graph.values.size(), 0);
  for (size_t position = 0; position < schedule.size(); ++position) {
    for (ValueId id : graph.nodes[schedule[position]].inputs) {
      if (id != kNoValue) last[Index(id)] = position;
    }
  }
  for (const GraphOutput& output : graph.outputs) last[Index(output.value)] = schedule.size();
  return last;
}

}  // namespace

PlanBuilder::PlanBuilder(const Graph& graph, Specialization& specialization, const dnnl::engine& engine,
                         WeightStore& weights)
    : graph_(graph),
      specialization_(specialization),
      engine_(engine),
      weights_(weights),
      last_reads_(LastReads(graph, specialization.schedule)),
      placed_(graph.values.size()) {
  AddBuffer({.kind = PlanBuffer::Kind::kInput});
  const ValueId input = graph.inputs[0];
  StoreAt(input, {RowMajor(specialization.values[Index(input)].shape), kInputBuffer});
}

dnnl::primitive_attr PlanBuilder::Attributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

absl::Status PlanBuilder::LowerAll() {
  for (position_ = 0; position_ < specialization_.schedule.size(); ++position_) {
    const Node& node = graph_.nodes[specialization_.schedule[position_]];
    const LowerFunction lower = FindLowering(node.def->name);
    if (lower == nullptr) return UnsupportedNode(node, "the CPU has no implementation of it");
    RETURN_IF_ERROR(lower(*this, NodeContext(node, graph_.opset, specialization_.values)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ExecutionPlan>> PlanBuilder::Finish(std::span<const Shape> output_shapes) {
  for (size_t i = 0; i < graph_.outputs.size(); ++i) {
    Operand plain = LoadRowMajor(graph_.outputs[i].value);
    if (buffers_[Index(plain.buffer)].kind != PlanBuffer::Kind::kArena) {
      // The caller's tensor, or already another output.
      const Operand copy = Allocate(plain.desc);
      AddReorder(plain, copy);
      plain = copy;
    }
    buffers_[Index(plain.buffer)].kind = PlanBuffer::Kind::kOutput;
    buffers_[Index(plain.buffer)].output = i;
  }
  return ExecutionPlan::Create(engine_, std::move(steps_), std::move(buffers_), output_shapes);
}

Operand PlanBuilder::Load(ValueId id) {
  Placed& placed = placed_[Index(id)];
  const ValueState& state = specialization_.values[Index(id)];
  if (placed.primary.buffer < 0 && state.constant != nullptr) {
    const dnnl::memory::desc desc = RowMajor(state.shape);
    placed.primary = LoadPacked(id, desc, desc);
  }
  return placed.primary;
}

Operand PlanBuilder::LoadAs(ValueId id, const dnnl::memory::desc& desc) {
  const Operand primary = Load(id);
  if (primary.desc == desc) return primary;
  for (const Operand& copy : placed_[Index(id)].copies) {
    if (copy.desc == desc) return copy;
  }
  const Operand copy = Allocate(desc);
  holders_[Index(copy.buffer)].push_back(id);
  AddReorder(primary, copy);
  placed_[Index(id)].copies.push_back(copy);
  return copy;
}

Operand PlanBuilder::LoadRowMajor(ValueId id) {
  return LoadAs(id, RowMajor(specialization_.values[Index(id)].shape));
}

Operand PlanBuilder::LoadPacked(ValueId id, const dnnl::memory::desc& view,
                                const dnnl::memory::desc& packed) {
  const HostTensorPtr& constant = specialization_.values[Index(id)].constant;
  PlanBuffer buffer{.kind = PlanBuffer::Kind::kConstant, .bytes = packed.get_size()};
  buffer.constant = weights_.Pack(constant, view, packed);
  return {packed, AddBuffer(std::move(buffer))};
}

bool PlanBuilder::MayOverwrite(const Operand& operand) const {
  if (buffers_[Index(operand.buffer)].kind != PlanBuffer::Kind::kArena) return false;
  return std::ranges::all_of(holders_[Index(operand.buffer)],
                             [&](ValueId id) { return last_reads_[Index(id)] <= position_; });
}

Operand PlanBuilder::Store(ValueId id, const dnnl::memory::desc& desc) {
  const Operand operand = Allocate(desc);
  StoreAt(id, operand);
  return operand;
}

void PlanBuilder::StoreAt(ValueId id, const Operand& operand) {
  placed_[Index(id)].primary = operand;
  holders_[Index(operand.buffer)].push_back(id);
}

void PlanBuilder::AddReorder(const Operand& from, const Operand& to) {
  const dnnl::reorder::primitive_desc reorder(engine_, from.desc, engine_, to.desc, Attributes());
  AddPrimitive<dnnl::reorder>(reorder, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

Operand PlanBuilder::AddExpand(const Operand& source, const Shape& from, const Shape& to) {
  const Operand expanded = Allocate(RowMajor(to));
  AddNative(
      {source}, expanded,
      [to, from_strides = BroadcastStrides(from, to), to_strides = RowMajorStrides(to)](
          auto inputs, float* output) { StridedCopy(to, inputs[0], from_strides, output, to_strides); });
  return expanded;
}

void PlanBuilder::AddNative(std::vector<Operand> inputs, const Operand& output, NativeStep native) {
  AddStep({.native = std::move(native), .native_inputs = std::move(inputs), .native_output = output});
}

int PlanBuilder::AddBuffer(PlanBuffer buffer) {
  buffers_.push_back(std::move(buffer));
  holders_.emplace_back();
  return static_cast<int>(buffers_.size() - 1);
}

Operand PlanBuilder::Allocate(const dnnl::memory::desc& desc) {
  return {desc, AddBuffer({.kind = PlanBuffer::Kind::kArena, .bytes = desc.get_size()})};
}

void PlanBuilder::AddStep(PlanStep step) {
  for (const auto& [argument, operand] : step.arguments) Touch(operand);
  for (const Operand& operand : step.native_inputs) Touch(operand);
  if (step.native) Touch(step.native_output);
  steps_.push_back(std::move(step));
}

void PlanBuilder::Touch(const Operand& operand) {
  PlanBuffer& buffer = buffers_[Index(operand.buffer)];
  const int step = static_cast<int>(steps_.size());
  if (buffer.first_step < 0) buffer.first_step = step;
  buffer.last_step = step;
}

}  // namespace freqstore

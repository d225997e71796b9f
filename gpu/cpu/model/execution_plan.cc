#include "gpu/cpu/model/execution_plan.h"

#include <algorithm>

#include "gpu/model/memory_plan.h"
#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<std::unique_ptr<ExecutionPlan>> ExecutionPlan::Create(const dnnl::engine& engine,
                                                                     std::vector<PlanStep> steps,
                                                                     std::vector<PlanBuffer> buffers,
                                                                     std::span<const Shape> output_shapes) {
  auto plan = std::make_unique<ExecutionPlan>();
  RETURN_IF_ERROR(plan->Allocate(steps, buffers, output_shapes));
  plan->Bind(engine, std::move(steps), buffers);
  return plan;
}

absl::Status ExecutionPlan::Allocate(std::span<const PlanStep> steps, std::span<const PlanBuffer> buffers,
                                     std::span<const Shape> output_shapes) {
  for (const Shape& shape : output_shapes) {
    ASSIGN_OR_RETURN(std::unique_ptr<CpuTensor> output, CpuTensor::Allocate(DataType::kFloat32, shape));
    outputs_.push_back(std::move(output));
  }
  std::vector<BufferLifetime> lifetimes;
  for (const PlanBuffer& buffer : buffers) {
    if (buffer.kind == PlanBuffer::Kind::kArena) {
      lifetimes.push_back({buffer.bytes, buffer.first_step, buffer.last_step});
    }
  }
  const MemoryPlan memory = PlanMemory(lifetimes, kTensorAlignment);
  arena_bytes_ = memory.bytes;
  ASSIGN_OR_RETURN(arena_, AllocateAligned(arena_bytes_));
  size_t scratchpad_bytes = 0;
  for (const PlanStep& step : steps)
    scratchpad_bytes = std::max(scratchpad_bytes, step.scratchpad.get_size());
  ASSIGN_OR_RETURN(scratchpad_, AllocateAligned(scratchpad_bytes));

  size_t in_arena = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const PlanBuffer& buffer = buffers[i];
    std::byte* pointer = nullptr;
    switch (buffer.kind) {
      case PlanBuffer::Kind::kArena:
        pointer = arena_.get() + memory.offsets[in_arena++];
        break;
      case PlanBuffer::Kind::kInput:
        input_buffers_.push_back(static_cast<int>(i));
        break;
      case PlanBuffer::Kind::kOutput:
        pointer = outputs_[buffer.output]->data();
        break;
      case PlanBuffer::Kind::kConstant:
        pointer = static_cast<std::byte*>(buffer.constant.get_data_handle());
        constants_.push_back(buffer.constant);
        break;
    }
    pointers_.push_back(pointer);
  }
  return absl::OkStatus();
}

void ExecutionPlan::Bind(const dnnl::engine& engine, std::vector<PlanStep> steps,
                         std::span<const PlanBuffer> buffers) {
  for (PlanStep& step : steps) {
    BoundStep bound{.primitive = step.primitive, .native = std::move(step.native)};
    for (const auto& [argument, operand] : step.arguments) {
      const auto buffer = static_cast<size_t>(operand.buffer);
      if (buffers[buffer].kind == PlanBuffer::Kind::kInput) {
        dnnl::memory memory(operand.desc, engine, DNNL_MEMORY_NONE);
        input_memories_.push_back(memory);
        bound.arguments.emplace(argument, memory);
      } else {
        bound.arguments.emplace(argument, dnnl::memory(operand.desc, engine, pointers_[buffer]));
      }
    }
    if (step.scratchpad.get_size() > 0) {
      bound.arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(step.scratchpad, engine, scratchpad_.get()));
    }
    for (const Operand& input : step.native_inputs) bound.native_inputs.push_back(input.buffer);
    bound.native_output = step.native_output.buffer;
    steps_.push_back(std::move(bound));
  }
}

void ExecutionPlan::Run(const float* input, dnnl::stream& stream) {
  // oneDNN takes every handle as mutable; no step writes to the input.
  auto* bytes = reinterpret_cast<std::byte*>(const_cast<float*>(input));
  for (int buffer : input_buffers_) pointers_[static_cast<size_t>(buffer)] = bytes;
  for (const dnnl::memory& memory : input_memories_) memory.set_data_handle(bytes);
  auto floats = [&](int buffer) { return reinterpret_cast<float*>(pointers_[static_cast<size_t>(buffer)]); };
  std::vector<const float*> inputs;
  for (const BoundStep& step : steps_) {
    if (!step.native) {
      step.primitive.execute(stream, step.arguments);
      continue;
    }
    inputs.clear();
    for (int buffer : step.native_inputs) inputs.push_back(floats(buffer));
    step.native(inputs, floats(step.native_output));
  }
  stream.wait();
}

}  // namespace freqstore

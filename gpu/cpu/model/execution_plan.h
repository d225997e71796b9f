// A model compiled for one batch size: primitives in order, and the memory they work in.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dnnl.hpp>

#include "absl/status/statusor.h"
#include "gpu/cpu/model/aligned_buffer.h"
#include "gpu/cpu/model/cpu_tensor.h"

namespace freqstore {

/// Memory with a layout. The same buffer may be looked at in several layouts.
struct Operand {
  dnnl::memory::desc desc;
  int buffer = -1;
};

/// Code of ours among the primitives: reads `inputs`, writes `output`. Both are float32.
using NativeStep = std::function<void(std::span<const float* const> inputs, float* output)>;

/// One thing to do. Either `primitive` with `arguments`, or `native`.
struct PlanStep {
  dnnl::primitive primitive = {};
  std::vector<std::pair<int, Operand>> arguments = {};
  dnnl::memory::desc scratchpad = {};  ///< of the primitive; empty if it needs none
  NativeStep native = {};
  std::vector<Operand> native_inputs = {};
  Operand native_output = {};
};

struct PlanBuffer {
  enum class Kind : uint8_t {
    kArena,     ///< alive from its first step to its last
    kInput,     ///< the caller's tensor; never written
    kOutput,    ///< a tensor of the plan's own
    kConstant,  ///< packed weights; never written
  };
  Kind kind = Kind::kArena;
  size_t bytes = 0;
  int first_step = -1;
  int last_step = -1;
  dnnl::memory constant = {};  ///< kConstant only
  size_t output = 0;           ///< kOutput only: which
};

/// Used by one thread, within a SingleThreadScope. Run and Create throw dnnl::error.
class ExecutionPlan {
 public:
  /// Lays the buffers out and binds the steps to them.
  static absl::StatusOr<std::unique_ptr<ExecutionPlan>> Create(const dnnl::engine& engine,
                                                               std::vector<PlanStep> steps,
                                                               std::vector<PlanBuffer> buffers,
                                                               std::span<const Shape> output_shapes);

  /// `input` holds the whole batch. The outputs are valid until the next Run.
  void Run(const float* input, dnnl::stream& stream);
  const std::vector<std::unique_ptr<CpuTensor>>& outputs() const { return outputs_; }

  size_t arena_bytes() const { return arena_bytes_; }

 private:
  struct BoundStep {
    dnnl::primitive primitive = {};
    std::unordered_map<int, dnnl::memory> arguments = {};
    NativeStep native = {};
    std::vector<int> native_inputs = {};  // buffers
    int native_output = -1;
  };

  absl::Status Allocate(std::span<const PlanStep> steps, std::span<const PlanBuffer> buffers,
                        std::span<const Shape> output_shapes);
  void Bind(const dnnl::engine& engine, std::vector<PlanStep> steps, std::span<const PlanBuffer> buffers);

  size_t arena_bytes_ = 0;
  AlignedBuffer arena_;
  AlignedBuffer scratchpad_;
  std::vector<std::unique_ptr<CpuTensor>> outputs_;
  std::vector<std::byte*> pointers_;  // of each buffer; an input's is set by Run
  std::vector<int> input_buffers_;
  std::vector<dnnl::memory> input_memories_;
  std::vector<dnnl::memory> constants_;  // keeps them alive
  std::vector<BoundStep> steps_;
};

}  // namespace freqstore

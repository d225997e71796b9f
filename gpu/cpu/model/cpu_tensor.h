// A tensor in host memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "gpu/cpu/model/aligned_buffer.h"
#include "gpu/device/tensor.h"

namespace freqstore {

class CpuTensor final : public Tensor {
 public:
  /// Uninitialised. INVALID_ARGUMENT (INVALID_SHAPE) for a negative or absurd shape, RESOURCE_EXHAUSTED
  /// (OUT_OF_DEVICE_MEMORY) if there is not that much memory.
  static absl::StatusOr<std::unique_ptr<CpuTensor>> Allocate(DataType type, Shape shape);

  std::byte* data() { return storage_.get(); }
  const std::byte* data() const { return storage_.get(); }
  /// float32 tensors only.
  std::span<float> floats();
  std::span<const float> floats() const;

 private:
  CpuTensor(DataType type, Shape shape, AlignedBuffer storage);

  AlignedBuffer storage_;
};

}  // namespace freqstore

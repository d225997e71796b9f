#include "gpu/cpu/model/cpu_tensor.h"

#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "storage/base/status.h"

namespace freqstore {

CpuTensor::CpuTensor(DataType type, Shape shape, AlignedBuffer storage)
    : Tensor(type, std::move(shape)), storage_(std::move(storage)) {}

absl::StatusOr<std::unique_ptr<CpuTensor>> CpuTensor::Allocate(DataType type, Shape shape) {
  constexpr int64_t kElementsMax = int64_t{1} << 40;
  const std::optional<int64_t> elements = CheckedElementCount(shape);
  if (!elements || *elements > kElementsMax) {
    return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_SHAPE",
                     fmt::format("no tensor has the shape {}", ToString(shape)));
  }
  ASSIGN_OR_RETURN(AlignedBuffer storage, AllocateAligned(SizeOf(type) * static_cast<size_t>(*elements)));
  return std::unique_ptr<CpuTensor>(new CpuTensor(type, std::move(shape), std::move(storage)));
}

std::span<float> CpuTensor::floats() {
  assert(type() == DataType::kFloat32);
  return {reinterpret_cast<float*>(storage_.get()), bytes() / sizeof(float)};
}

std::span<const float> CpuTensor::floats() const {
  assert(type() == DataType::kFloat32);
  return {reinterpret_cast<const float*>(storage_.get()), bytes() / sizeof(float)};
}

}  // namespace freqstore

#include "gpu/model/host_tensor.h"

#include <fmt/format.h>

#include "storage/base/status.h"

namespace freqstore {
namespace {

template <typename T>
std::vector<int64_t> Widen(const HostTensor& tensor) {
  auto values = tensor.values<T>();
  return {values.begin(), values.end()};
}

}  // namespace

HostTensor HostTensor::Reshaped(Shape shape) const {
  HostTensor tensor = *this;
  assert(ElementCount(shape) == elements());
  tensor.shape_ = std::move(shape);
  return tensor;
}

absl::StatusOr<std::vector<int64_t>> ToInt64s(const HostTensor& tensor) {
  switch (tensor.type()) {
    case DataType::kInt64:
      return Widen<int64_t>(tensor);
    case DataType::kInt32:
      return Widen<int32_t>(tensor);
    case DataType::kUint8:
      return Widen<uint8_t>(tensor);
    case DataType::kInt8:
      return Widen<int8_t>(tensor);
    case DataType::kFloat32:
      break;
  }
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_MODEL",
                   fmt::format("expected integers, found {}", NameOf(tensor.type())));
}

}  // namespace freqstore

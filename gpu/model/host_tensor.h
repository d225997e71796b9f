// A small immutable-by-habit tensor in host memory: weights and the constants of a graph.
#pragma once

#include <cassert>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/device/tensor.h"

namespace freqstore {

template <typename T>
inline constexpr DataType kDataTypeOf = DataType{};
template <>
inline constexpr DataType kDataTypeOf<float> = DataType::kFloat32;
template <>
inline constexpr DataType kDataTypeOf<uint8_t> = DataType::kUint8;
template <>
inline constexpr DataType kDataTypeOf<int8_t> = DataType::kInt8;
template <>
inline constexpr DataType kDataTypeOf<int32_t> = DataType::kInt32;
template <>
inline constexpr DataType kDataTypeOf<int64_t> = DataType::kInt64;

/// Row-major values. Graphs share it as HostTensorPtr, which nobody writes through.
class HostTensor {
 public:
  /// Zeros. The element count of `shape` is known to be valid and affordable.
  HostTensor(DataType type, Shape shape)
      : type_(type),
        shape_(std::move(shape)),
        data_(SizeOf(type) * static_cast<size_t>(ElementCount(shape_))) {}

  template <typename T>
  static HostTensor Of(Shape shape, std::span<const T> values) {
    HostTensor tensor(kDataTypeOf<T>, std::move(shape));
    assert(static_cast<size_t>(tensor.elements()) == values.size());
    if (!values.empty()) std::memcpy(tensor.data_.data(), values.data(), values.size_bytes());
    return tensor;
  }

  DataType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  int64_t elements() const { return ElementCount(shape_); }
  std::span<const std::byte> bytes() const { return data_; }
  std::span<std::byte> bytes() { return data_; }

  /// T is the C++ type of type().
  template <typename T>
  std::span<const T> values() const {
    assert(kDataTypeOf<T> == type_);
    return {reinterpret_cast<const T*>(data_.data()), data_.size() / sizeof(T)};
  }
  template <typename T>
  std::span<T> values() {
    assert(kDataTypeOf<T> == type_);
    return {reinterpret_cast<T*>(data_.data()), data_.size() / sizeof(T)};
  }

  /// The same values under another shape of as many elements.
  HostTensor Reshaped(Shape shape) const;

 private:
  DataType type_;
  Shape shape_;
  std::vector<std::byte> data_;
};

using HostTensorPtr = std::shared_ptr<const HostTensor>;

/// Every integer type as int64. INVALID_ARGUMENT (INVALID_MODEL) for a float tensor.
absl::StatusOr<std::vector<int64_t>> ToInt64s(const HostTensor& tensor);

}  // namespace freqstore

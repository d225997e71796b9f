// Dense tensors in a device's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freqstore {

enum class DataType : uint8_t { kFloat32 = 1, kUint8 = 2, kInt64 = 3, kInt8 = 4, kInt32 = 5 };

size_t SizeOf(DataType type);
std::string_view NameOf(DataType type);  ///< "float32"

using Shape = std::vector<int64_t>;

/// Product of the dimensions; 1 for a scalar. The caller knows that it fits (see CheckedElementCount).
int64_t ElementCount(const Shape& shape);

/// The same for a shape that is not trusted: nullopt if a dimension is negative or the product is beyond
/// int64.
std::optional<int64_t> CheckedElementCount(const Shape& shape);

/// "[1, 3, 224, 224]"
std::string ToString(const Shape& shape);

/// A row-major tensor owned by whoever holds it, in the memory of the device that made it. What the memory
/// is, only the device knows: read it with Device::CopyToHost.
class Tensor {
 public:
  virtual ~Tensor() = default;
  DataType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  size_t bytes() const { return SizeOf(type_) * static_cast<size_t>(ElementCount(shape_)); }

 protected:
  Tensor(DataType type, Shape shape) : type_(type), shape_(std::move(shape)) {}

 private:
  DataType type_;
  Shape shape_;
};

}  // namespace freqstore

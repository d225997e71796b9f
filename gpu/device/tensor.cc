#include "gpu/device/tensor.h"

#include <fmt/ranges.h>

namespace freqstore {

size_t SizeOf(DataType type) {
  switch (type) {
    case DataType::kFloat32:
    case DataType::kInt32:
      return 4;
    case DataType::kInt64:
      return 8;
    case DataType::kUint8:
    case DataType::kInt8:
      return 1;
  }
  return 0;
}

std::string_view NameOf(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return "float32";
    case DataType::kUint8:
      return "uint8";
    case DataType::kInt64:
      return "int64";
    case DataType::kInt8:
      return "int8";
    case DataType::kInt32:
      return "int32";
  }
  return "unknown";
}

int64_t ElementCount(const Shape& shape) {
  int64_t count = 1;
  for (int64_t dimension : shape) count *= dimension;
  return count;
}

std::optional<int64_t> CheckedElementCount(const Shape& shape) {
  int64_t count = 1;
  for (int64_t dimension : shape) {
    if (dimension < 0 || __builtin_mul_overflow(count, dimension, &count)) return std::nullopt;
  }
  return count;
}

std::string ToString(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace freqstore

#include "gpu/model/onnx_tensor.h"

#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "gpu/model/graph.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

absl::Status InvalidTensor(const onnx::TensorProto& proto, std::string_view why) {
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_MODEL",
                   fmt::format("tensor {}: {}", Quoted(proto.name()), why));
}

absl::Status UnsupportedTensor(const onnx::TensorProto& proto, std::string_view why) {
  return MakeError(absl::StatusCode::kUnimplemented, "UNSUPPORTED_TYPE",
                   fmt::format("tensor {}: {}", Quoted(proto.name()), why));
}

absl::StatusOr<DataType> ImportType(const onnx::TensorProto& proto) {
  switch (proto.data_type()) {
    case onnx::TensorProto::FLOAT:
      return DataType::kFloat32;
    case onnx::TensorProto::UINT8:
    case onnx::TensorProto::BOOL:
      return DataType::kUint8;
    case onnx::TensorProto::INT8:
      return DataType::kInt8;
    case onnx::TensorProto::INT32:
      return DataType::kInt32;
    case onnx::TensorProto::INT64:
      return DataType::kInt64;
    default:
      return UnsupportedTensor(proto,
                               fmt::format("elements of ONNX type {} are not supported", proto.data_type()));
  }
}

/// From a repeated field, which holds the narrow types as int32.
template <typename T, typename Field>
absl::StatusOr<HostTensor> FromField(const onnx::TensorProto& proto, Shape shape, const Field& field) {
  std::vector<T> values;
  values.reserve(static_cast<size_t>(field.size()));
  for (auto value : field) {
    if constexpr (std::is_integral_v<T>) {
      if (!std::in_range<T>(value)) return InvalidTensor(proto, fmt::format("{} is out of range", value));
    }
    values.push_back(static_cast<T>(value));
  }
  return HostTensor::Of<T>(std::move(shape), values);
}

/// Elements in the field that is meant for `type`.
int FieldSize(const onnx::TensorProto& proto, DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return proto.float_data_size();
    case DataType::kInt64:
      return proto.int64_data_size();
    case DataType::kInt32:
    case DataType::kInt8:
    case DataType::kUint8:
      return proto.int32_data_size();
  }
  return 0;
}

}  // namespace

absl::StatusOr<HostTensor> ImportTensor(const onnx::TensorProto& proto) {
  if (proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0) {
    return UnsupportedTensor(proto, "data in another file is not supported; save the model as one file");
  }
  if (proto.has_segment()) return UnsupportedTensor(proto, "segments are not supported");
  ASSIGN_OR_RETURN(const DataType type, ImportType(proto));
  constexpr int kRankMax = 32;
  if (proto.dims_size() > kRankMax) return InvalidTensor(proto, "too many dimensions");
  Shape shape(proto.dims().begin(), proto.dims().end());
  const std::optional<int64_t> elements = CheckedElementCount(shape);
  if (!elements) return InvalidTensor(proto, fmt::format("shape {}", ToString(shape)));

  const auto count = static_cast<uint64_t>(*elements);
  if (proto.has_raw_data()) {
    const std::string& raw = proto.raw_data();
    if (raw.size() % SizeOf(type) != 0 || raw.size() / SizeOf(type) != count) {
      return InvalidTensor(proto, fmt::format("{} bytes of data for shape {}", raw.size(), ToString(shape)));
    }
    HostTensor tensor(type, std::move(shape));
    if (!raw.empty()) std::memcpy(tensor.bytes().data(), raw.data(), raw.size());
    return tensor;
  }
  if (static_cast<uint64_t>(FieldSize(proto, type)) != count) {
    return InvalidTensor(
        proto, fmt::format("{} elements of data for shape {}", FieldSize(proto, type), ToString(shape)));
  }
  switch (type) {
    case DataType::kFloat32:
      return FromField<float>(proto, std::move(shape), proto.float_data());
    case DataType::kInt64:
      return FromField<int64_t>(proto, std::move(shape), proto.int64_data());
    case DataType::kInt32:
      return FromField<int32_t>(proto, std::move(shape), proto.int32_data());
    case DataType::kInt8:
      return FromField<int8_t>(proto, std::move(shape), proto.int32_data());
    case DataType::kUint8:
      return FromField<uint8_t>(proto, std::move(shape), proto.int32_data());
  }
  return UnsupportedTensor(proto, "unknown type");
}

absl::StatusOr<std::optional<AttributeValue>> ImportAttribute(const onnx::AttributeProto& proto) {
  switch (proto.type()) {
    case onnx::AttributeProto::INT:
      return proto.i();
    case onnx::AttributeProto::FLOAT:
      return proto.f();
    case onnx::AttributeProto::STRING:
      return proto.s();
    case onnx::AttributeProto::INTS:
      return std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
    case onnx::AttributeProto::FLOATS:
      return std::vector<float>(proto.floats().begin(), proto.floats().end());
    case onnx::AttributeProto::TENSOR: {
      ASSIGN_OR_RETURN(HostTensor tensor, ImportTensor(proto.t()));
      return std::make_shared<const HostTensor>(std::move(tensor));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace freqstore

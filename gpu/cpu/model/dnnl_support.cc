#include "gpu/cpu/model/dnnl_support.h"

#include <fmt/format.h>

#include "gpu/model/operators/broadcast.h"
#include "storage/base/status.h"

namespace freqstore {

dnnl::memory::desc RowMajor(const Shape& shape) {
  const Shape dims = shape.empty() ? Shape{1} : shape;
  return {dims, dnnl::memory::data_type::f32, RowMajorStrides(dims)};
}

dnnl::memory::desc AnyLayout(const Shape& shape) {
  return {shape, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

absl::Status FromDnnl(const dnnl::error& error) {
  const std::string message = fmt::format("oneDNN: {}", error.what());
  switch (error.status) {
    case dnnl_unimplemented:
      return MakeError(absl::StatusCode::kUnimplemented, "UNSUPPORTED_OPERATOR", message);
    case dnnl_out_of_memory:
      return MakeError(absl::StatusCode::kResourceExhausted, "OUT_OF_DEVICE_MEMORY", message);
    default:
      return MakeError(absl::StatusCode::kInternal, "DEVICE_FAILED", message);
  }
}

}  // namespace freqstore

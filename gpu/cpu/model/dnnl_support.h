// Shorthands for oneDNN.
#pragma once

#include <dnnl.hpp>

#include "absl/status/status.h"
#include "gpu/device/tensor.h"

namespace freqstore {

/// Row-major float32. A scalar becomes one dimension of 1: oneDNN has no scalars.
dnnl::memory::desc RowMajor(const Shape& shape);

/// float32 in whatever layout the primitive likes best.
dnnl::memory::desc AnyLayout(const Shape& shape);

/// UNIMPLEMENTED (UNSUPPORTED_OPERATOR), RESOURCE_EXHAUSTED (OUT_OF_DEVICE_MEMORY) or INTERNAL
/// (DEVICE_FAILED).
absl::Status FromDnnl(const dnnl::error& error);

}  // namespace freqstore

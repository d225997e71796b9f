// Plain loops over row-major float tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device/tensor.h"

namespace freqstore {

/// Copies `shape` elements read at `from + sum(i_d * from_strides[d])` to the same with `to`. A stride of 0
/// repeats. Innermost strides of 1 are fast.
void StridedCopy(const Shape& shape, const float* from, const std::vector<int64_t>& from_strides, float* to,
                 const std::vector<int64_t>& to_strides);

}  // namespace freqstore

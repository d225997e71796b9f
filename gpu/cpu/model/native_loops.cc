#include "gpu/cpu/model/native_loops.h"

#include <algorithm>
#include <span>

namespace freqstore {
namespace {

void CopyFrom(size_t d, const Shape& shape, const float* from, const std::vector<int64_t>& from_strides,
              float* to, const std::vector<int64_t>& to_strides) {
  const int64_t extent = shape[d];
  const int64_t from_stride = from_strides[d];
  const int64_t to_stride = to_strides[d];
  if (d + 1 < shape.size()) {
    for (int64_t i = 0; i < extent; ++i) {
      CopyFrom(d + 1, shape, from + i * from_stride, from_strides, to + i * to_stride, to_strides);
    }
  } else if (from_stride == 1 && to_stride == 1) {
    std::copy_n(from, extent, to);
  } else if (from_stride == 0 && to_stride == 1) {
    std::fill_n(to, extent, *from);
  } else {
    for (int64_t i = 0; i < extent; ++i) to[i * to_stride] = from[i * from_stride];
  }
}

}  // namespace

void StridedCopy(const Shape& shape, const float* from, const std::vector<int64_t>& from_strides, float* to,
                 const std::vector<int64_t>& to_strides) {
  if (shape.empty()) {
    *to = *from;
  } else {
    CopyFrom(0, shape, from, from_strides, to, to_strides);
  }
}

}  // namespace freqstore

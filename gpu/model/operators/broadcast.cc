#include "gpu/model/operators/broadcast.h"

#include <algorithm>

#include <fmt/format.h>

namespace freqstore {

absl::StatusOr<Shape> BroadcastShape(const NodeContext& context, const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t from_a = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t from_b = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (from_a != from_b && from_a != 1 && from_b != 1) {
      return context.Invalid(fmt::format("shapes {} and {} do not broadcast", ToString(a), ToString(b)));
    }
    shape[shape.size() - 1 - i] = from_a == 1 ? from_b : from_a;
  }
  return shape;
}

std::vector<int64_t> RowMajorStrides(const Shape& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::vector<int64_t> BroadcastStrides(const Shape& shape, const Shape& target) {
  const std::vector<int64_t> own = RowMajorStrides(shape);
  std::vector<int64_t> strides(target.size(), 0);
  const size_t lead = target.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) strides[lead + i] = shape[i] == 1 ? 0 : own[i];
  return strides;
}

}  // namespace freqstore

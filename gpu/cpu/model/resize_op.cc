#include <algorithm>
#include <cmath>

#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/model/operators/resize.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

/// For each output pixel of an axis, the two input pixels it lies between and the weight of the second.
struct Taps {
  std::vector<int64_t> first;
  std::vector<int64_t> second;
  std::vector<float> weight;
};

Taps MakeTaps(const ResizeGeometry& resize, size_t d) {
  Taps taps;
  for (int64_t i = 0; i < resize.output[d]; ++i) {
    if (!resize.linear) {
      taps.first.push_back(resize.Nearest(d, i));
      taps.second.push_back(taps.first.back());
      taps.weight.push_back(0);
      continue;
    }
    const float x = std::clamp(resize.Source(d, i), 0.0F, static_cast<float>(resize.input[d] - 1));
    const auto floor = static_cast<int64_t>(x);
    taps.first.push_back(floor);
    taps.second.push_back(std::min(floor + 1, resize.input[d] - 1));
    taps.weight.push_back(x - static_cast<float>(floor));
  }
  return taps;
}

void ResizeRow(const Taps& columns, const float* above, const float* below, float weight, float* blended,
               int64_t width, float* output) {
  for (int64_t x = 0; x < width; ++x) blended[x] = above[x] + (below[x] - above[x]) * weight;
  for (size_t x = 0; x < columns.first.size(); ++x) {
    const float left = blended[columns.first[x]];
    output[x] = left + (blended[columns.second[x]] - left) * columns.weight[x];
  }
}

}  // namespace

absl::Status LowerResize(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const ResizeGeometry resize, ResolveResize(context));
  const Node& node = context.node();
  const int64_t planes = context.shape(0)[0] * context.shape(0)[1];
  const int64_t height = resize.input[0];
  const int64_t width = resize.input[1];
  const Operand source = builder.LoadRowMajor(node.inputs[0]);
  const Operand destination = builder.Store(node.outputs[0], RowMajor(context.output_shape()));
  builder.AddNative(
      {source}, destination,
      [planes, height, width, rows = MakeTaps(resize, 0), columns = MakeTaps(resize, 1),
       blended = std::vector<float>(static_cast<size_t>(width))](auto inputs, float* output) mutable {
        for (int64_t plane = 0; plane < planes; ++plane) {
          const float* input = inputs[0] + plane * height * width;
          for (size_t y = 0; y < rows.first.size(); ++y) {
            ResizeRow(columns, input + rows.first[y] * width, input + rows.second[y] * width, rows.weight[y],
                      blended.data(), width, output);
            output += columns.first.size();
          }
        }
      });
  return absl::OkStatus();
}

}  // namespace freqstore

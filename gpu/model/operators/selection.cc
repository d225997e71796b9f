// Gather and Slice of constants: what exporters write around Shape.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "gpu/model/node_context.h"
#include "gpu/model/operator_registry.h"
#include "gpu/model/operators/broadcast.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr auto kFromValues = OperatorDef::FoldsFrom::kValues;
constexpr auto kFolded = OperatorDef::Runs::kFolded;

absl::Status InferGather(NodeContext& context) {
  ASSIGN_OR_RETURN(const int64_t axis, context.Axis(context.attributes().Int("axis", 0), context.rank(0)));
  Shape shape = context.shape(0);
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, context.shape(1).begin(), context.shape(1).end());
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<HostTensor> EvaluateGather(const NodeContext& context) {
  ASSIGN_OR_RETURN(const int64_t axis, context.Axis(context.attributes().Int("axis", 0), context.rank(0)));
  ASSIGN_OR_RETURN(const auto indices, context.IntsParameter("", 1));
  const HostTensor& data = *context.constant(0);
  const Shape& shape = data.shape();
  const int64_t extent = shape[static_cast<size_t>(axis)];
  const auto outer = static_cast<size_t>(ElementCount(Shape(shape.begin(), shape.begin() + axis)));
  const size_t run =
      SizeOf(data.type()) * static_cast<size_t>(ElementCount(Shape(shape.begin() + axis + 1, shape.end())));
  HostTensor result(data.type(), context.output_shape());
  size_t to = 0;
  for (size_t o = 0; o < outer; ++o) {
    for (int64_t index : *indices) {
      if (index < -extent || index >= extent) {
        return context.Invalid(fmt::format("index {} of a dimension of {}", index, extent));
      }
      const auto at = static_cast<size_t>(index < 0 ? index + extent : index);
      const size_t from = (o * static_cast<size_t>(extent) + at) * run;
      std::ranges::copy(data.bytes().subspan(from, run),
                        result.bytes().begin() + static_cast<std::ptrdiff_t>(to));
      to += run;
    }
  }
  return result;
}

/// What Slice keeps of a dimension: `count` elements from `start` on, `step` apart.
struct Range {
  int64_t start = 0;
  int64_t step = 1;
  int64_t count = 0;
};

Range MakeRange(int64_t extent, int64_t start, int64_t end, int64_t step) {
  if (start < 0) start = start < -extent ? (step > 0 ? 0 : -1) : start + extent;
  if (end < 0) end = end < -extent ? -1 : end + extent;
  if (step > 0) {
    start = std::min(start, extent);
    end = std::clamp<int64_t>(end, 0, extent);
    return {start, step, end > start ? (end - start - 1) / step + 1 : 0};
  }
  start = std::min(start, extent - 1);
  end = std::min(end, extent - 1);
  return {start, step, start > end ? (start - end - 1) / -step + 1 : 0};
}

absl::StatusOr<std::vector<Range>> ResolveSlice(const NodeContext& context) {
  ASSIGN_OR_RETURN(const auto starts, context.IntsParameter("starts", 1));
  ASSIGN_OR_RETURN(const auto ends, context.IntsParameter("ends", 2));
  ASSIGN_OR_RETURN(const auto listed, context.IntsParameter("axes", 3));
  ASSIGN_OR_RETURN(const auto steps, context.IntsParameter("", 4));
  if (!starts || !ends || starts->size() != ends->size() || (listed && listed->size() != starts->size()) ||
      (steps && steps->size() != starts->size())) {
    return context.Invalid("starts, ends, axes and steps do not match");
  }
  std::vector<Range> ranges;
  for (int64_t extent : context.shape(0)) ranges.push_back({0, 1, extent});
  for (size_t i = 0; i < starts->size(); ++i) {
    ASSIGN_OR_RETURN(const int64_t axis,
                     context.Axis(listed ? (*listed)[i] : static_cast<int64_t>(i), context.rank(0)));
    const int64_t step = steps ? (*steps)[i] : 1;
    constexpr int64_t kStepMax = int64_t{1} << 40;
    if (step == 0 || step > kStepMax || step < -kStepMax)
      return context.Invalid(fmt::format("step {}", step));
    const int64_t extent = context.shape(0)[static_cast<size_t>(axis)];
    ranges[static_cast<size_t>(axis)] = MakeRange(extent, (*starts)[i], (*ends)[i], step);
  }
  return ranges;
}

absl::Status InferSlice(NodeContext& context) {
  ASSIGN_OR_RETURN(const std::vector<Range> ranges, ResolveSlice(context));
  Shape shape;
  for (const Range& range : ranges) shape.push_back(range.count);
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<HostTensor> EvaluateSlice(const NodeContext& context) {
  ASSIGN_OR_RETURN(const std::vector<Range> ranges, ResolveSlice(context));
  const HostTensor& data = *context.constant(0);
  const std::vector<int64_t> strides = RowMajorStrides(data.shape());
  HostTensor result(data.type(), context.output_shape());
  const size_t size = SizeOf(data.type());
  for (int64_t i = 0; i < result.elements(); ++i) {
    int64_t rest = i;
    int64_t from = 0;
    for (size_t d = ranges.size(); d-- > 0;) {
      from += (ranges[d].start + rest % ranges[d].count * ranges[d].step) * strides[d];
      rest /= ranges[d].count;
    }
    std::memcpy(&result.bytes()[static_cast<size_t>(i) * size],
                &data.bytes()[static_cast<size_t>(from) * size], size);
  }
  return result;
}

}  // namespace

void AddSelectionOperators(OperatorRegistry& registry) {
  registry.Add({.name = "Gather",
                .inputs_min = 2,
                .inputs_max = 2,
                .attributes = {IntAttribute("axis")},
                .runs = kFolded,
                .infer = InferGather,
                .evaluate = EvaluateGather,
                .folds_from = kFromValues});
  registry.Add({.name = "Slice",
                .inputs_max = 5,
                .attributes = {IntsAttribute("axes"), IntsAttribute("ends"), IntsAttribute("starts")},
                .runs = kFolded,
                .infer = InferSlice,
                .evaluate = EvaluateSlice,
                .folds_from = kFromValues});
}

}  // namespace freqstore

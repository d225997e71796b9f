#include "gpu/model/operators/layout.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "gpu/model/operator_registry.h"
#include "gpu/model/operators/broadcast.h"
#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<std::vector<int64_t>> ResolveTranspose(const NodeContext& context) {
  std::vector<int64_t> reversed(context.shape(0).size());
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  std::vector<int64_t> perm = context.attributes().Ints("perm", reversed);
  std::vector<int64_t> sorted = perm;
  std::ranges::sort(sorted);
  if (!std::equal(sorted.begin(), sorted.end(), reversed.rbegin(), reversed.rend())) {
    return context.Invalid(
        fmt::format("{} is no permutation of {} dimensions", ToString(perm), context.rank(0)));
  }
  return perm;
}

absl::StatusOr<int64_t> ResolveConcatAxis(const NodeContext& context) {
  return context.Axis(context.attributes().Int("axis", 1), context.rank(0));
}

absl::StatusOr<PadGeometry> ResolvePad(const NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0));
  ASSIGN_OR_RETURN(const auto pads, context.IntsParameter("pads", 1));
  ASSIGN_OR_RETURN(const auto value, context.FloatParameter("value", 2));
  ASSIGN_OR_RETURN(const auto listed, context.IntsParameter("", 3));
  const int64_t rank = context.rank(0);
  std::vector<int64_t> axes(static_cast<size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  if (listed) axes = *listed;
  if (!pads || pads->size() != 2 * axes.size()) return context.Invalid("two pads an axis are needed");
  PadGeometry pad{.begin = std::vector<int64_t>(static_cast<size_t>(rank), 0),
                  .end = std::vector<int64_t>(static_cast<size_t>(rank), 0),
                  .value = value.value_or(0)};
  constexpr int64_t kPadMax = int64_t{1} << 20;
  for (size_t i = 0; i < axes.size(); ++i) {
    ASSIGN_OR_RETURN(const int64_t axis, context.Axis(axes[i], rank));
    const int64_t begin = (*pads)[i];
    const int64_t end = (*pads)[i + axes.size()];
    if (begin < 0 || end < 0)
      return UnsupportedAttribute(context.node(), "pads", "cropping is not supported");
    if (begin > kPadMax || end > kPadMax) return context.Invalid(fmt::format("pads beyond {}", kPadMax));
    pad.begin[static_cast<size_t>(axis)] = begin;
    pad.end[static_cast<size_t>(axis)] = end;
  }
  return pad;
}

namespace {

absl::Status InferTranspose(NodeContext& context) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> perm, ResolveTranspose(context));
  Shape shape;
  for (int64_t from : perm) shape.push_back(context.shape(0)[static_cast<size_t>(from)]);
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<HostTensor> EvaluateTranspose(const NodeContext& context) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> perm, ResolveTranspose(context));
  const HostTensor& input = *context.constant(0);
  const Shape& shape = context.output_shape();
  const std::vector<int64_t> strides = RowMajorStrides(input.shape());
  HostTensor result(input.type(), shape);
  const size_t size = SizeOf(input.type());
  for (int64_t i = 0; i < result.elements(); ++i) {
    int64_t rest = i;
    int64_t from = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      from += rest % shape[d] * strides[static_cast<size_t>(perm[d])];
      rest /= shape[d];
    }
    std::memcpy(&result.bytes()[static_cast<size_t>(i) * size],
                &input.bytes()[static_cast<size_t>(from) * size], size);
  }
  return result;
}

absl::Status InferConcat(NodeContext& context) {
  for (size_t i = 0; i < context.input_count(); ++i) {
    if (!context.HasInput(i)) return context.Invalid(fmt::format("input {} is left out", i));
  }
  ASSIGN_OR_RETURN(const int64_t axis, ResolveConcatAxis(context));
  const auto along = static_cast<size_t>(axis);
  Shape shape = context.shape(0);
  for (size_t i = 1; i < context.input_count(); ++i) {
    Shape other = context.shape(i);
    if (context.type(i) != context.type(0)) return context.Invalid("inputs of several types");
    if (other.size() != shape.size()) return context.Invalid("inputs of several ranks");
    if (__builtin_add_overflow(shape[along], other[along], &shape[along]))
      return context.Invalid("too large");
    other[along] = shape[along];
    if (other != shape) {
      return context.Invalid(fmt::format("input {} of {} does not fit beside {}", i,
                                         ToString(context.shape(i)), ToString(context.shape(0))));
    }
  }
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<HostTensor> EvaluateConcat(const NodeContext& context) {
  ASSIGN_OR_RETURN(const int64_t axis, ResolveConcatAxis(context));
  HostTensor result(context.output_type(), context.output_shape());
  const Shape outer_shape(context.output_shape().begin(), context.output_shape().begin() + axis);
  const auto outer = static_cast<size_t>(ElementCount(outer_shape));
  size_t at = 0;
  for (size_t o = 0; o < outer; ++o) {
    for (size_t i = 0; i < context.input_count(); ++i) {
      const std::span<const std::byte> bytes = context.constant(i)->bytes();
      const size_t run = bytes.size() / outer;
      std::ranges::copy(bytes.subspan(o * run, run),
                        result.bytes().begin() + static_cast<std::ptrdiff_t>(at));
      at += run;
    }
  }
  return result;
}

absl::Status InferPad(NodeContext& context) {
  ASSIGN_OR_RETURN(const PadGeometry pad, ResolvePad(context));
  Shape shape = context.shape(0);
  for (size_t d = 0; d < shape.size(); ++d) shape[d] += pad.begin[d] + pad.end[d];
  context.SetOutput(DataType::kFloat32, std::move(shape));
  return absl::OkStatus();
}

absl::Status InferExpand(NodeContext& context) {
  ASSIGN_OR_RETURN(const auto target, context.IntsParameter("", 1));
  if (!CheckedElementCount(*target)) return context.Invalid(fmt::format("shape {}", ToString(*target)));
  ASSIGN_OR_RETURN(Shape shape, BroadcastShape(context, context.shape(0), *target));
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace

void AddLayoutOperators(OperatorRegistry& registry) {
  constexpr auto kFromValues = OperatorDef::FoldsFrom::kValues;
  registry.Add({.name = "Transpose",
                .attributes = {IntsAttribute("perm")},
                .infer = InferTranspose,
                .evaluate = EvaluateTranspose,
                .folds_from = kFromValues});
  registry.Add({.name = "Concat",
                .inputs_max = 4096,
                .attributes = {IntAttribute("axis")},
                .infer = InferConcat,
                .evaluate = EvaluateConcat,
                .folds_from = kFromValues});
  registry.Add(
      {.name = "Pad",
       .inputs_max = 4,
       .attributes = {StringAttribute("mode", {"constant"}), IntsAttribute("pads"), FloatAttribute("value")},
       .infer = InferPad});
  registry.Add({.name = "Expand", .inputs_min = 2, .inputs_max = 2, .infer = InferExpand});
}

}  // namespace freqstore

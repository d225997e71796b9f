// Add, Sub, Mul and Div of two values that broadcast.
#include <functional>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "gpu/model/operator_registry.h"
#include "gpu/model/operators/broadcast.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

absl::Status InferArithmetic(NodeContext& context) {
  if (context.type(0) != context.type(1)) {
    return context.Invalid(
        fmt::format("operands are {} and {}", NameOf(context.type(0)), NameOf(context.type(1))));
  }
  ASSIGN_OR_RETURN(Shape shape, BroadcastShape(context, context.shape(0), context.shape(1)));
  context.SetOutput(context.type(0), std::move(shape));
  return absl::OkStatus();
}

/// Calls apply(i, a, b) with the offsets of the operands of each output element i.
template <typename Apply>
void ForEachPair(const NodeContext& context, Apply apply) {
  const Shape& shape = context.output_shape();
  const std::vector<int64_t> a_strides = BroadcastStrides(context.shape(0), shape);
  const std::vector<int64_t> b_strides = BroadcastStrides(context.shape(1), shape);
  const int64_t count = ElementCount(shape);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    int64_t a = 0;
    int64_t b = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      const int64_t coordinate = rest % shape[d];
      rest /= shape[d];
      a += coordinate * a_strides[d];
      b += coordinate * b_strides[d];
    }
    apply(static_cast<size_t>(i), static_cast<size_t>(a), static_cast<size_t>(b));
  }
}

/// Integers wrap around, as every runtime has them do.
template <typename Operation>
int64_t Wrap(int64_t a, int64_t b) {
  return static_cast<int64_t>(Operation{}(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
}

template <template <typename> typename Operation>
absl::StatusOr<HostTensor> Evaluate(const NodeContext& context) {
  HostTensor result(context.output_type(), context.output_shape());
  if (context.output_type() == DataType::kFloat32) {
    auto a = context.constant(0)->values<float>();
    auto b = context.constant(1)->values<float>();
    auto out = result.values<float>();
    ForEachPair(context, [&](size_t i, size_t x, size_t y) { out[i] = Operation<float>{}(a[x], b[y]); });
    return result;
  }
  if (context.output_type() != DataType::kInt64) {
    return UnsupportedNode(context.node(), fmt::format("arithmetic on {}", NameOf(context.output_type())));
  }
  auto a = context.constant(0)->values<int64_t>();
  auto b = context.constant(1)->values<int64_t>();
  auto out = result.values<int64_t>();
  bool defined = true;
  ForEachPair(context, [&](size_t i, size_t x, size_t y) {
    if constexpr (std::is_same_v<Operation<float>, std::divides<float>>) {
      if (b[y] == 0 || (b[y] == -1 && a[x] == std::numeric_limits<int64_t>::min())) {
        defined = false;
      } else {
        out[i] = a[x] / b[y];
      }
    } else {
      out[i] = Wrap<Operation<uint64_t>>(a[x], b[y]);
    }
  });
  if (!defined) return context.Invalid("an integer division has no result");
  return result;
}

OperatorDef Arithmetic(std::string_view name, absl::StatusOr<HostTensor> (*evaluate)(const NodeContext&)) {
  return {.name = name,
          .inputs_min = 2,
          .inputs_max = 2,
          .infer = InferArithmetic,
          .evaluate = evaluate,
          .folds_from = OperatorDef::FoldsFrom::kValues};
}

}  // namespace

void AddArithmeticOperators(OperatorRegistry& registry) {
  registry.Add(Arithmetic("Add", Evaluate<std::plus>));
  registry.Add(Arithmetic("Sub", Evaluate<std::minus>));
  registry.Add(Arithmetic("Mul", Evaluate<std::multiplies>));
  registry.Add(Arithmetic("Div", Evaluate<std::divides>));
}

}  // namespace freqstore

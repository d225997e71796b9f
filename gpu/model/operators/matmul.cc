#include "gpu/model/operators/matmul.h"

#include <utility>

#include <fmt/format.h>

#include "gpu/model/operator_registry.h"
#include "gpu/model/operators/broadcast.h"
#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<GemmGeometry> ResolveGemm(const NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0, 2));
  RETURN_IF_ERROR(context.ExpectFloat(1, 2));
  const Shape& a = context.shape(0);
  const Shape& b = context.shape(1);
  GemmGeometry gemm;
  gemm.a_transposed = context.attributes().Int("transA", 0) != 0;
  gemm.b_transposed = context.attributes().Int("transB", 0) != 0;
  gemm.alpha = context.attributes().Float("alpha", 1);
  gemm.beta = context.attributes().Float("beta", 1);
  gemm.rows = a[gemm.a_transposed ? 1 : 0];
  gemm.depth = a[gemm.a_transposed ? 0 : 1];
  gemm.columns = b[gemm.b_transposed ? 0 : 1];
  if (a.size() != 2 || b.size() != 2 || b[gemm.b_transposed ? 1 : 0] != gemm.depth) {
    return context.Invalid(fmt::format("cannot multiply {} by {}", ToString(a), ToString(b)));
  }
  if (context.HasInput(2)) {
    RETURN_IF_ERROR(context.ExpectFloat(2));
    const Shape result = {gemm.rows, gemm.columns};
    ASSIGN_OR_RETURN(const Shape shape, BroadcastShape(context, context.shape(2), result));
    if (shape != result) {
      return context.Invalid(
          fmt::format("C of {} does not broadcast to {}", ToString(context.shape(2)), ToString(result)));
    }
  }
  return gemm;
}

namespace {

absl::Status InferGemm(NodeContext& context) {
  ASSIGN_OR_RETURN(const GemmGeometry gemm, ResolveGemm(context));
  context.SetOutput(DataType::kFloat32, {gemm.rows, gemm.columns});
  return absl::OkStatus();
}

absl::Status InferMatMul(NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0, 1));
  RETURN_IF_ERROR(context.ExpectFloat(1, 1));
  Shape a = context.shape(0);
  Shape b = context.shape(1);
  if (a.size() < 2 || b.size() < 2) return UnsupportedNode(context.node(), "vectors are not supported");
  const int64_t rows = a[a.size() - 2];
  const int64_t columns = b[b.size() - 1];
  if (a[a.size() - 1] != b[b.size() - 2]) {
    return context.Invalid(fmt::format("cannot multiply {} by {}", ToString(a), ToString(b)));
  }
  a.resize(a.size() - 2);
  b.resize(b.size() - 2);
  ASSIGN_OR_RETURN(Shape shape, BroadcastShape(context, a, b));
  shape.insert(shape.end(), {rows, columns});
  context.SetOutput(DataType::kFloat32, std::move(shape));
  return absl::OkStatus();
}

int64_t MatMulMacs(const NodeContext& context) {
  const Shape& a = context.shape(0);
  const bool transposed = context.attributes().Int("transA", 0) != 0;
  return ElementCount(context.output_shape()) * a[a.size() - (transposed ? 2 : 1)];
}

}  // namespace

void AddMatmulOperators(OperatorRegistry& registry) {
  registry.Add({.name = "Gemm",
                .inputs_min = 2,
                .inputs_max = 3,
                .attributes = {FloatAttribute("alpha"), FloatAttribute("beta"), IntAttribute("transA"),
                               IntAttribute("transB")},
                .takes_activations = true,
                .infer = InferGemm,
                .macs = MatMulMacs});
  registry.Add(
      {.name = "MatMul", .inputs_min = 2, .inputs_max = 2, .infer = InferMatMul, .macs = MatMulMacs});
}

}  // namespace freqstore

// Gemm and MatMul.
#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/cpu/model/eltwise.h"
#include "gpu/cpu/model/native_loops.h"
#include "gpu/model/operators/broadcast.h"
#include "gpu/model/operators/matmul.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using dnnl::memory;

/// rows x columns, stored transposed or not.
memory::desc Matrix(int64_t rows, int64_t columns, bool transposed) {
  return {
      {rows, columns}, memory::data_type::f32, transposed ? memory::format_tag::ba : memory::format_tag::ab};
}

/// True if C is a number a column and constant: oneDNN's bias.
bool IsBias(const NodeContext& context, int64_t columns) {
  return context.constant(2) != nullptr && ElementCount(context.shape(2)) == columns &&
         context.shape(2).back() == columns;
}

/// Fills the destination with C, broadcast, for the product to be added to.
void AddBroadcast(PlanBuilder& builder, const NodeContext& context, const Operand& destination) {
  const Shape shape = context.output_shape();
  const std::vector<int64_t> from_strides = BroadcastStrides(context.shape(2), shape);
  builder.AddNative({builder.LoadRowMajor(context.node().inputs[2])}, destination,
                    [shape, from_strides, to_strides = RowMajorStrides(shape)](auto inputs, float* output) {
                      StridedCopy(shape, inputs[0], from_strides, output, to_strides);
                    });
}

}  // namespace

absl::Status LowerGemm(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const GemmGeometry gemm, ResolveGemm(context));
  const Node& node = context.node();
  const bool adds = context.HasInput(2) && gemm.beta != 0;
  const bool has_bias = adds && gemm.alpha == 1 && gemm.beta == 1 && IsBias(context, gemm.columns);

  dnnl::primitive_attr attributes = PlanBuilder::Attributes();
  if (gemm.alpha != 1) attributes.set_output_scales(0, {gemm.alpha});
  dnnl::post_ops post_ops;
  if (adds && !has_bias) post_ops.append_sum(gemm.beta);
  for (const PostOp& post_op : node.post_ops) {
    for (const Eltwise& eltwise : EltwiseOf(post_op)) {
      post_ops.append_eltwise(1.0F, eltwise.algorithm, eltwise.alpha, eltwise.beta);
    }
  }
  attributes.set_post_ops(post_ops);

  const memory::desc a = Matrix(gemm.rows, gemm.depth, gemm.a_transposed);
  const memory::desc b = Matrix(gemm.depth, gemm.columns, gemm.b_transposed);
  const bool packs = context.constant(1) != nullptr;
  const memory::desc bias = has_bias ? RowMajor({1, gemm.columns}) : memory::desc();
  const dnnl::matmul::primitive_desc descriptor(
      {a, packs ? AnyLayout({gemm.depth, gemm.columns}) : b, bias, RowMajor(context.output_shape())},
      attributes, builder.engine());

  Operand source = builder.LoadRowMajor(node.inputs[0]);
  source.desc = a;
  Operand weights;
  if (packs) {
    weights = builder.LoadPacked(node.inputs[1], b, descriptor.weights_desc());
  } else {
    weights = builder.LoadRowMajor(node.inputs[1]);
    weights.desc = b;
  }
  const Operand destination = builder.Store(node.outputs[0], descriptor.dst_desc());
  if (adds && !has_bias) AddBroadcast(builder, context, destination);
  std::vector<std::pair<int, Operand>> arguments = {
      {DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, destination}};
  if (has_bias) arguments.emplace_back(DNNL_ARG_BIAS, builder.LoadPacked(node.inputs[2], bias, bias));
  builder.AddPrimitive<dnnl::matmul>(descriptor, std::move(arguments));
  return absl::OkStatus();
}

absl::Status LowerMatMul(PlanBuilder& builder, const NodeContext& context) {
  const Node& node = context.node();
  const size_t rank = context.output_shape().size();
  auto padded = [&](size_t input) {
    Shape shape = context.shape(input);
    shape.insert(shape.begin(), rank - shape.size(), 1);
    return shape;
  };
  Operand a = builder.LoadRowMajor(node.inputs[0]);
  Operand b = builder.LoadRowMajor(node.inputs[1]);
  a.desc = RowMajor(padded(0));
  b.desc = RowMajor(padded(1));
  const dnnl::matmul::primitive_desc descriptor({a.desc, b.desc, RowMajor(context.output_shape())},
                                                PlanBuilder::Attributes(), builder.engine());
  const Operand destination = builder.Store(node.outputs[0], descriptor.dst_desc());
  builder.AddPrimitive<dnnl::matmul>(descriptor,
                                     {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, destination}});
  return absl::OkStatus();
}

}  // namespace freqstore

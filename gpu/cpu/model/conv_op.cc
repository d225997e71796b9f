// Conv with its fused residual and activations.
#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/cpu/model/eltwise.h"
#include "gpu/model/operators/conv.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using Descriptor = dnnl::convolution_forward::primitive_desc;

/// The weights' dimensions as oneDNN counts them: groups are a dimension of their own.
Shape WeightDims(const NodeContext& context, const ConvGeometry& conv) {
  Shape dims = context.shape(1);
  if (conv.groups > 1) {
    dims[0] /= conv.groups;
    dims.insert(dims.begin(), conv.groups);
  }
  return dims;
}

Descriptor MakeDescriptor(PlanBuilder& builder, const NodeContext& context, const ConvGeometry& conv) {
  dnnl::primitive_attr attributes = PlanBuilder::Attributes();
  attributes.set_post_ops(PostOpsOf(context.node()));
  Shape dilations = conv.window.dilations;
  for (int64_t& dilation : dilations) --dilation;  // oneDNN counts the gaps
  const dnnl::memory::desc bias = context.HasInput(2) ? RowMajor(context.shape(2)) : dnnl::memory::desc();
  return Descriptor(
      {dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, AnyLayout(context.shape(0)),
       AnyLayout(WeightDims(context, conv)), bias, AnyLayout(context.output_shape()), conv.window.strides,
       dilations, conv.window.pads_begin, conv.window.pads_end},
      attributes, builder.engine());
}

bool HasResidual(const Node& node) {
  return !node.post_ops.empty() && node.post_ops[0].kind == PostOp::Kind::kAdd;
}

/// Where the result goes. With a residual the primitive adds to what is there: the residual itself if nobody
/// needs it afterwards, else a copy.
Operand Destination(PlanBuilder& builder, const Node& node, const Descriptor& descriptor,
                    const Operand& source) {
  if (!HasResidual(node)) return builder.Store(node.outputs[0], descriptor.dst_desc());
  const Operand residual = builder.Load(node.inputs.back());
  if (residual.desc == descriptor.dst_desc() && residual.buffer != source.buffer &&
      builder.MayOverwrite(residual)) {
    builder.StoreAt(node.outputs[0], residual);
    return residual;
  }
  const Operand destination = builder.Store(node.outputs[0], descriptor.dst_desc());
  builder.AddReorder(residual, destination);
  return destination;
}

}  // namespace

absl::Status LowerConv(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const ConvGeometry conv, ResolveConv(context));
  const Node& node = context.node();
  const Descriptor descriptor = MakeDescriptor(builder, context, conv);
  const Operand source = builder.LoadAs(node.inputs[0], descriptor.src_desc());
  std::vector<std::pair<int, Operand>> arguments = {
      {DNNL_ARG_SRC, source},
      {DNNL_ARG_WEIGHTS,
       builder.LoadPacked(node.inputs[1], RowMajor(WeightDims(context, conv)), descriptor.weights_desc())}};
  if (context.HasInput(2)) {
    const dnnl::memory::desc bias = RowMajor(context.shape(2));
    arguments.emplace_back(DNNL_ARG_BIAS, builder.LoadPacked(node.inputs[2], bias, bias));
  }
  arguments.emplace_back(DNNL_ARG_DST, Destination(builder, node, descriptor, source));
  builder.AddPrimitive<dnnl::convolution_forward>(descriptor, std::move(arguments));
  return absl::OkStatus();
}

}  // namespace freqstore

// Relu, Clip and the like, alone or behind another primitive.
#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/eltwise.h"
#include "gpu/model/operators/activation.h"
#include "storage/base/status.h"

namespace freqstore {

std::vector<Eltwise> EltwiseOf(const PostOp& post_op) {
  using dnnl::algorithm;
  switch (post_op.kind) {
    case PostOp::Kind::kRelu:
      return {{algorithm::eltwise_relu, 0, 0}};
    case PostOp::Kind::kLeakyRelu:
      return {{algorithm::eltwise_relu, post_op.alpha, 0}};
    case PostOp::Kind::kClip:
      return {{algorithm::eltwise_clip, post_op.alpha, post_op.beta}};
    case PostOp::Kind::kSigmoid:
      return {{algorithm::eltwise_logistic, 0, 0}};
    case PostOp::Kind::kHardSigmoid:
      return {{algorithm::eltwise_linear, post_op.alpha, post_op.beta}, {algorithm::eltwise_clip, 0, 1}};
    case PostOp::Kind::kHardSwish:
      return {{algorithm::eltwise_hardswish, 0, 0}};
    case PostOp::Kind::kAdd:
      break;
  }
  return {};
}

dnnl::post_ops PostOpsOf(const Node& node) {
  dnnl::post_ops post_ops;
  for (const PostOp& post_op : node.post_ops) {
    if (post_op.kind == PostOp::Kind::kAdd) post_ops.append_sum(1.0F);
    for (const Eltwise& eltwise : EltwiseOf(post_op)) {
      post_ops.append_eltwise(1.0F, eltwise.algorithm, eltwise.alpha, eltwise.beta);
    }
  }
  return post_ops;
}

absl::Status LowerActivation(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const PostOp activation, ResolveActivation(context));
  const std::vector<Eltwise> sequence = EltwiseOf(activation);
  dnnl::post_ops rest;
  for (size_t i = 1; i < sequence.size(); ++i) {
    rest.append_eltwise(1.0F, sequence[i].algorithm, sequence[i].alpha, sequence[i].beta);
  }
  dnnl::primitive_attr attributes = PlanBuilder::Attributes();
  attributes.set_post_ops(rest);

  const Operand source = builder.Load(context.node().inputs[0]);
  const dnnl::eltwise_forward::desc desc(dnnl::prop_kind::forward_inference, sequence[0].algorithm,
                                         source.desc, sequence[0].alpha, sequence[0].beta);
  const ValueId output = context.node().outputs[0];
  Operand destination = source;
  if (builder.MayOverwrite(source)) {
    builder.StoreAt(output, source);
  } else {
    destination = builder.Store(output, source.desc);
  }
  builder.AddPrimitive<dnnl::eltwise_forward>({desc, attributes, builder.engine()},
                                              {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}});
  return absl::OkStatus();
}

}  // namespace freqstore

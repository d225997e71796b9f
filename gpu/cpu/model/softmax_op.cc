#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/model/operators/normalization.h"
#include "storage/base/status.h"

namespace freqstore {

absl::Status LowerSoftmax(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const SoftmaxGeometry softmax, ResolveSoftmax(context));
  const Node& node = context.node();
  constexpr int kAxis = 1;
  const dnnl::memory::desc view = RowMajor({softmax.outer, softmax.length, softmax.inner});
  Operand source = builder.LoadRowMajor(node.inputs[0]);
  source.desc = view;
  Operand destination = builder.Store(node.outputs[0], RowMajor(context.output_shape()));
  destination.desc = view;
  const dnnl::softmax_forward::primitive_desc descriptor({dnnl::prop_kind::forward_inference, view, kAxis},
                                                         PlanBuilder::Attributes(), builder.engine());
  builder.AddPrimitive<dnnl::softmax_forward>(descriptor,
                                              {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}});
  return absl::OkStatus();
}

}  // namespace freqstore

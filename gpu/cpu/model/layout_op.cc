// Operators that move values about: views, copies, concatenation.
#include <algorithm>

#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/cpu/model/native_loops.h"
#include "gpu/model/operators/broadcast.h"
#include "gpu/model/operators/layout.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

/// False for a layout in blocks of channels the last of which is not full: nothing can be glued behind it.
bool IsGlueable(const dnnl::memory::desc& desc) {
  return std::equal(desc.data.dims, desc.data.dims + desc.data.ndims, desc.data.padded_dims);
}

}  // namespace

absl::Status LowerReshape(PlanBuilder& builder, const NodeContext& context) {
  Operand view = builder.LoadRowMajor(context.node().inputs[0]);
  view.desc = RowMajor(context.output_shape());
  builder.StoreAt(context.node().outputs[0], view);
  return absl::OkStatus();
}

absl::Status LowerUnchanged(PlanBuilder& builder, const NodeContext& context) {
  builder.StoreAt(context.node().outputs[0], builder.Load(context.node().inputs[0]));
  return absl::OkStatus();
}

absl::Status LowerConcat(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const int64_t axis, ResolveConcatAxis(context));
  const Node& node = context.node();
  const bool keeps_layouts =
      std::ranges::all_of(node.inputs, [&](ValueId id) { return IsGlueable(builder.Load(id).desc); });
  std::vector<Operand> operands;
  std::vector<dnnl::memory::desc> descs;
  for (ValueId id : node.inputs) {
    operands.push_back(keeps_layouts ? builder.Load(id) : builder.LoadRowMajor(id));
    descs.push_back(operands.back().desc);
  }
  const dnnl::concat::primitive_desc descriptor(static_cast<int>(axis), descs, builder.engine(),
                                                PlanBuilder::Attributes());
  std::vector<std::pair<int, Operand>> arguments = {
      {DNNL_ARG_DST, builder.Store(node.outputs[0], descriptor.dst_desc())}};
  for (size_t i = 0; i < operands.size(); ++i) {
    arguments.emplace_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i), operands[i]);
  }
  builder.AddPrimitive<dnnl::concat>(descriptor, std::move(arguments));
  return absl::OkStatus();
}

absl::Status LowerTranspose(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> perm, ResolveTranspose(context));
  const Node& node = context.node();
  if (perm.empty()) return LowerReshape(builder, context);
  const Operand source = builder.LoadRowMajor(node.inputs[0]);
  Operand destination = builder.Store(node.outputs[0], RowMajor(context.output_shape()));
  // The destination under the source's dimensions.
  const std::vector<int64_t> strides = RowMajorStrides(context.output_shape());
  std::vector<int64_t> permuted(strides.size());
  for (size_t d = 0; d < perm.size(); ++d) permuted[static_cast<size_t>(perm[d])] = strides[d];
  destination.desc = {context.shape(0), dnnl::memory::data_type::f32, permuted};
  builder.AddReorder(source, destination);
  return absl::OkStatus();
}

absl::Status LowerExpand(PlanBuilder& builder, const NodeContext& context) {
  const Node& node = context.node();
  const Operand source = builder.LoadRowMajor(node.inputs[0]);
  builder.StoreAt(node.outputs[0], builder.AddExpand(source, context.shape(0), context.output_shape()));
  return absl::OkStatus();
}

absl::Status LowerPad(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const PadGeometry pad, ResolvePad(context));
  const Node& node = context.node();
  const Shape& input = context.shape(0);
  const std::vector<int64_t> strides = RowMajorStrides(context.output_shape());
  int64_t start = 0;
  for (size_t d = 0; d < strides.size(); ++d) start += pad.begin[d] * strides[d];
  const Operand source = builder.LoadRowMajor(node.inputs[0]);
  const Operand destination = builder.Store(node.outputs[0], RowMajor(context.output_shape()));
  builder.AddNative({source}, destination,
                    [input, input_strides = RowMajorStrides(input), strides, start, value = pad.value,
                     count = ElementCount(context.output_shape())](auto inputs, float* output) {
                      std::fill_n(output, count, value);
                      StridedCopy(input, inputs[0], input_strides, output + start, strides);
                    });
  return absl::OkStatus();
}

}  // namespace freqstore

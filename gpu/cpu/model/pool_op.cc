// Pools, and means over whole planes, which are pools too.
#include <algorithm>

#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/model/operators/pool.h"
#include "gpu/model/operators/reduce.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

dnnl::algorithm AlgorithmOf(PoolGeometry::Kind kind) {
  switch (kind) {
    case PoolGeometry::Kind::kMax:
      return dnnl::algorithm::pooling_max;
    case PoolGeometry::Kind::kAverage:
      return dnnl::algorithm::pooling_avg_exclude_padding;
    case PoolGeometry::Kind::kAverageWithPadding:
      return dnnl::algorithm::pooling_avg_include_padding;
  }
  return dnnl::algorithm::undef;
}

/// The result, of `shape`, in a layout like the source's.
Operand AddPool(PlanBuilder& builder, const Operand& source, const PoolGeometry& pool, const Shape& shape) {
  const Window& window = pool.window;
  Shape gaps = window.dilations;
  for (int64_t& gap : gaps) --gap;
  Shape pads_end = window.pads_end;
  const Shape input = source.desc.dims();
  for (size_t d = 0; d < pads_end.size(); ++d) {
    // With ceil_mode the last window may reach beyond the padding.
    const int64_t reach =
        (window.output[d] - 1) * window.strides[d] + (window.kernel[d] - 1) * window.dilations[d] + 1;
    pads_end[d] = std::max(pads_end[d], reach - input[d + 2] - window.pads_begin[d]);
  }
  const dnnl::pooling_v2_forward::primitive_desc descriptor(
      {dnnl::prop_kind::forward_inference, AlgorithmOf(pool.kind), source.desc, AnyLayout(shape),
       window.strides, window.kernel, gaps, window.pads_begin, pads_end},
      PlanBuilder::Attributes(), builder.engine());
  const Operand destination = builder.Allocate(descriptor.dst_desc());
  builder.AddPrimitive<dnnl::pooling_v2_forward>(descriptor,
                                                 {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}});
  return destination;
}

/// Any mean, of the row-major input.
Operand AddReduction(PlanBuilder& builder, const Operand& source, const Shape& reduced) {
  const dnnl::reduction::primitive_desc descriptor(
      {dnnl::algorithm::reduction_mean, source.desc, RowMajor(reduced), 0.0F, 0.0F},
      PlanBuilder::Attributes(), builder.engine());
  const Operand destination = builder.Allocate(descriptor.dst_desc());
  builder.AddPrimitive<dnnl::reduction>(descriptor, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}});
  return destination;
}

/// The pool that takes the mean over all of the spatial dimensions.
PoolGeometry WholePlane(const Shape& input) {
  const std::vector<int64_t> spatial(input.begin() + 2, input.end());
  const std::vector<int64_t> ones(spatial.size(), 1);
  const std::vector<int64_t> zeros(spatial.size(), 0);
  return {.kind = PoolGeometry::Kind::kAverage,
          .window = {.kernel = spatial,
                     .strides = ones,
                     .dilations = ones,
                     .pads_begin = zeros,
                     .pads_end = zeros,
                     .output = ones}};
}

}  // namespace

absl::Status LowerPool(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const PoolGeometry pool, ResolvePool(context));
  const Node& node = context.node();
  builder.StoreAt(node.outputs[0],
                  AddPool(builder, builder.Load(node.inputs[0]), pool, context.output_shape()));
  return absl::OkStatus();
}

absl::Status LowerReduceMean(PlanBuilder& builder, const NodeContext& context) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ResolveReduceAxes(context));
  const Node& node = context.node();
  Shape reduced = context.shape(0);
  for (int64_t axis : axes) reduced[static_cast<size_t>(axis)] = 1;
  if (reduced == context.shape(0)) return LowerReshape(builder, context);
  const bool whole_planes = context.rank(0) == 4 && axes == std::vector<int64_t>{2, 3};
  Operand mean;
  if (whole_planes) {
    mean = AddPool(builder, builder.Load(node.inputs[0]), WholePlane(context.shape(0)), reduced);
  } else {
    mean = AddReduction(builder, builder.LoadRowMajor(node.inputs[0]), reduced);
  }
  if (reduced != context.output_shape()) {
    const Operand row_major = builder.Allocate(RowMajor(reduced));
    builder.AddReorder(mean, row_major);
    mean = {RowMajor(context.output_shape()), row_major.buffer};
  }
  builder.StoreAt(node.outputs[0], mean);
  return absl::OkStatus();
}

}  // namespace freqstore

// Add, Sub, Mul and Div.
#include <functional>
#include <string_view>

#include "gpu/cpu/model/cpu_operators.h"
#include "gpu/cpu/model/dnnl_support.h"
#include "gpu/model/operator_def.h"

namespace freqstore {
namespace {

dnnl::algorithm AlgorithmOf(std::string_view name) {
  if (name == "Add") return dnnl::algorithm::binary_add;
  if (name == "Sub") return dnnl::algorithm::binary_sub;
  if (name == "Mul") return dnnl::algorithm::binary_mul;
  return dnnl::algorithm::binary_div;
}

/// The shape with ones put before it.
Shape Padded(Shape shape, size_t rank) {
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return shape;
}

/// Repeats a value to the shape of the result, row-major.
Operand Expanded(PlanBuilder& builder, const NodeContext& context, size_t input) {
  const Shape& shape = context.output_shape();
  const Shape& from = context.shape(input);
  Operand operand = builder.LoadRowMajor(context.node().inputs[input]);
  if (from == shape) return operand;
  return builder.AddExpand(operand, from, shape);
}

}  // namespace

absl::Status LowerArithmetic(PlanBuilder& builder, const NodeContext& context) {
  const Node& node = context.node();
  const Shape& shape = context.output_shape();
  const dnnl::algorithm algorithm = AlgorithmOf(node.def->name);
  const bool commutes = algorithm == dnnl::algorithm::binary_add || algorithm == dnnl::algorithm::binary_mul;
  size_t first = 0;
  size_t second = 1;
  if (context.shape(0) != shape && commutes) std::swap(first, second);

  Operand a;
  Operand b;
  if (context.shape(0) == context.shape(1)) {
    a = builder.Load(node.inputs[first]);
    b = builder.LoadAs(node.inputs[second], a.desc);
  } else if (context.shape(first) == shape) {
    a = builder.Load(node.inputs[first]);
    b = builder.LoadRowMajor(node.inputs[second]);
    b.desc = RowMajor(Padded(context.shape(second), shape.size()));
  } else {
    a = Expanded(builder, context, first);
    b = Expanded(builder, context, second);
  }
  const dnnl::binary::primitive_desc descriptor({algorithm, a.desc, b.desc, a.desc},
                                                PlanBuilder::Attributes(), builder.engine());
  const Operand destination = builder.Store(node.outputs[0], a.desc);
  builder.AddPrimitive<dnnl::binary>(descriptor,
                                     {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, destination}});
  return absl::OkStatus();
}

}  // namespace freqstore

#include "gpu/model/operators/pool.h"

#include <utility>

#include <fmt/format.h>

#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

absl::StatusOr<Window> ResolvePoolWindow(const NodeContext& context, bool ceil_mode) {
  ASSIGN_OR_RETURN(Window window,
                   ResolveWindow(context, context.attributes().Ints("kernel_shape", {}), ceil_mode));
  for (size_t d = 0; d < window.kernel.size(); ++d) {
    const int64_t reach = (window.kernel[d] - 1) * window.dilations[d] + 1;
    if (window.pads_begin[d] >= reach || window.pads_end[d] >= reach) {
      return context.Invalid(fmt::format("padding of a whole window ({})", reach));
    }
  }
  return window;
}

/// True if some window reaches beyond the padded input, which only ceil_mode allows.
bool Overhangs(const Shape& input, const Window& window) {
  for (size_t d = 0; d < window.kernel.size(); ++d) {
    const int64_t end =
        (window.output[d] - 1) * window.strides[d] + (window.kernel[d] - 1) * window.dilations[d] + 1;
    if (end > input[d + 2] + window.pads_begin[d] + window.pads_end[d]) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<PoolGeometry> ResolvePool(const NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0, 3));
  const std::string_view name = context.node().def->name;
  PoolGeometry pool;
  if (name == "GlobalAveragePool" || name == "GlobalMaxPool") {
    pool.kind = name == "GlobalMaxPool" ? PoolGeometry::Kind::kMax : PoolGeometry::Kind::kAverage;
    std::vector<int64_t> kernel(context.shape(0).begin() + 2, context.shape(0).end());
    ASSIGN_OR_RETURN(pool.window, ResolveWindow(context, std::move(kernel), false));
    return pool;
  }
  const bool ceil_mode = context.attributes().Int("ceil_mode", 0) != 0;
  ASSIGN_OR_RETURN(pool.window, ResolvePoolWindow(context, ceil_mode));
  if (name == "AveragePool") {
    const bool count_padding = context.attributes().Int("count_include_pad", 0) != 0;
    if (count_padding && Overhangs(context.shape(0), pool.window)) {
      return UnsupportedAttribute(context.node(), "ceil_mode",
                                  "with count_include_pad, windows beyond the padding are not supported");
    }
    pool.kind = count_padding ? PoolGeometry::Kind::kAverageWithPadding : PoolGeometry::Kind::kAverage;
  }
  return pool;
}

namespace {

absl::Status InferPool(NodeContext& context) {
  ASSIGN_OR_RETURN(const PoolGeometry pool, ResolvePool(context));
  Shape output = {context.shape(0)[0], context.shape(0)[1]};
  output.insert(output.end(), pool.window.output.begin(), pool.window.output.end());
  context.SetOutput(DataType::kFloat32, std::move(output));
  return absl::OkStatus();
}

std::vector<AttributeSpec> WindowAttributes() {
  return {StringAttribute("auto_pad", {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}),
          IntAttribute("ceil_mode"),
          IntsAttribute("dilations"),
          IntsAttribute("kernel_shape"),
          IntsAttribute("pads"),
          IntsAttribute("strides")};
}

}  // namespace

void AddPoolOperators(OperatorRegistry& registry) {
  std::vector<AttributeSpec> max = WindowAttributes();
  max.push_back(IntAttribute("storage_order", {int64_t{0}}));
  std::vector<AttributeSpec> average = WindowAttributes();
  average.push_back(IntAttribute("count_include_pad"));
  registry.Add({.name = "MaxPool", .attributes = std::move(max), .infer = InferPool});
  registry.Add({.name = "AveragePool", .attributes = std::move(average), .infer = InferPool});
  registry.Add({.name = "GlobalAveragePool", .infer = InferPool});
  registry.Add({.name = "GlobalMaxPool", .infer = InferPool});
}

}  // namespace freqstore

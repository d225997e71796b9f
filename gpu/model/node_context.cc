#include "gpu/model/node_context.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gpu/model/operator_def.h"
#include "storage/base/status.h"

namespace freqstore {

void NodeContext::SetOutput(DataType type, Shape shape) {
  ValueState& state = values_[static_cast<size_t>(node_.outputs[0])];
  state.known = true;
  state.type = type;
  state.shape = std::move(shape);
}

absl::StatusOr<std::optional<std::vector<int64_t>>> NodeContext::IntsParameter(std::string_view attribute,
                                                                               size_t input) const {
  if (attributes().Has(attribute)) return attributes().Ints(attribute, {});
  if (!HasInput(input)) return std::nullopt;
  RETURN_IF_ERROR(ExpectConstant(input, attribute));
  absl::StatusOr<std::vector<int64_t>> values = ToInt64s(*constant(input));
  if (!values.ok()) return Annotate(values.status(), fmt::format("{}: {}", Describe(node_), attribute));
  return *std::move(values);
}

absl::StatusOr<std::optional<float>> NodeContext::FloatParameter(std::string_view attribute,
                                                                 size_t input) const {
  if (attributes().Has(attribute)) return attributes().Float(attribute, 0);
  if (!HasInput(input)) return std::nullopt;
  RETURN_IF_ERROR(ExpectConstant(input, attribute));
  const HostTensor& tensor = *constant(input);
  if (tensor.type() != DataType::kFloat32 || tensor.elements() != 1) {
    return Invalid(fmt::format("{} is not one float32", attribute));
  }
  return tensor.values<float>()[0];
}

absl::StatusOr<int64_t> NodeContext::Axis(int64_t axis, int64_t rank) const {
  if (axis < -rank || axis >= rank) {
    return Invalid(fmt::format("axis {} of a value of {} dimensions", axis, rank));
  }
  return axis < 0 ? axis + rank : axis;
}

absl::StatusOr<std::vector<int64_t>> NodeContext::Axes(const std::vector<int64_t>& axes, int64_t rank) const {
  std::vector<int64_t> sorted;
  for (int64_t axis : axes) {
    ASSIGN_OR_RETURN(const int64_t normalised, Axis(axis, rank));
    sorted.push_back(normalised);
  }
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) return Invalid("an axis occurs twice");
  return sorted;
}

absl::Status NodeContext::ExpectFloat(size_t i, int64_t rank_min) const {
  if (type(i) != DataType::kFloat32) {
    return Invalid(fmt::format("input {} is {}, not float32", i, NameOf(type(i))));
  }
  if (rank(i) < rank_min) {
    return Invalid(fmt::format("input {} has shape {}; at least {} dimensions are needed", i,
                               ToString(shape(i)), rank_min));
  }
  return absl::OkStatus();
}

absl::Status NodeContext::ExpectConstant(size_t i, std::string_view what) const {
  if (!HasInput(i) || constant(i) != nullptr) return absl::OkStatus();
  return UnsupportedNode(node_,
                         fmt::format("{} (input {}) is computed when the model runs; only constants are "
                                     "supported",
                                     what, i));
}

}  // namespace freqstore

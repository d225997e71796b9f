// What an operator sees of a node: attributes, and what is known of its inputs at one batch size.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/model/graph.h"
#include "gpu/model/host_tensor.h"

namespace freqstore {

/// What is known of a value once the batch is a number.
struct ValueState {
  bool known = false;  ///< type and shape are set
  DataType type = DataType::kFloat32;
  Shape shape;
  HostTensorPtr constant;  ///< null for what is only known when the model runs
};

/// Indexed by ValueId.
using ValueTable = std::vector<ValueState>;

/// A view of a node and the table; both outlive it. `infer` writes the output through it, everything else
/// only reads.
class NodeContext {
 public:
  NodeContext(const Node& node, int opset, ValueTable& values)
      : node_(node), opset_(opset), values_(values) {}

  const Node& node() const { return node_; }
  const Attributes& attributes() const { return node_.attributes; }
  int opset() const { return opset_; }

  size_t input_count() const { return node_.inputs.size(); }
  bool HasInput(size_t i) const { return i < node_.inputs.size() && node_.inputs[i] != kNoValue; }
  /// These three: HasInput(i).
  const Shape& shape(size_t i) const { return Input(i).shape; }
  DataType type(size_t i) const { return Input(i).type; }
  int64_t rank(size_t i) const { return static_cast<int64_t>(shape(i).size()); }
  /// Null if the input is left out or not constant.
  const HostTensor* constant(size_t i) const { return HasInput(i) ? Input(i).constant.get() : nullptr; }

  const Shape& output_shape() const { return Output().shape; }
  DataType output_type() const { return Output().type; }
  void SetOutput(DataType type, Shape shape);

  /// A parameter that is an attribute in some opsets and a constant input in others; nullopt if it is left
  /// out.
  absl::StatusOr<std::optional<std::vector<int64_t>>> IntsParameter(std::string_view attribute,
                                                                    size_t input) const;
  absl::StatusOr<std::optional<float>> FloatParameter(std::string_view attribute, size_t input) const;

  /// An axis counted from the end if negative, made 0..rank-1.
  absl::StatusOr<int64_t> Axis(int64_t axis, int64_t rank) const;
  /// The same for several, ascending; INVALID_MODEL if one occurs twice.
  absl::StatusOr<std::vector<int64_t>> Axes(const std::vector<int64_t>& axes, int64_t rank) const;

  absl::Status Invalid(std::string_view why) const { return InvalidNode(node_, why); }
  /// INVALID_MODEL unless input `i` is float32 of at least `rank_min` dimensions.
  absl::Status ExpectFloat(size_t i, int64_t rank_min = 0) const;
  /// UNSUPPORTED_OPERATOR unless input `i` is a constant or left out.
  absl::Status ExpectConstant(size_t i, std::string_view what) const;

 private:
  const ValueState& Input(size_t i) const { return values_[static_cast<size_t>(node_.inputs[i])]; }
  const ValueState& Output() const { return values_[static_cast<size_t>(node_.outputs[0])]; }

  const Node& node_;
  int opset_;
  ValueTable& values_;
};

}  // namespace freqstore

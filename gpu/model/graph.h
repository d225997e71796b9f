// The graph of a model: values, and the nodes that compute them. Knows no device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gpu/model/attributes.h"

namespace freqstore {

struct OperatorDef;

/// Index into Graph::values. Stable: passes leave unused values behind rather than renumber.
using ValueId = int32_t;
inline constexpr ValueId kNoValue = -1;  ///< an optional input that is left out

/// A dimension that is a multiple of the batch, not a number.
inline constexpr int64_t kBatchDimension = -1;

struct Value {
  std::string name;
  DataType type = DataType::kFloat32;
  Shape shape = {};             ///< set by AnnotateShapes; kBatchDimension where it varies with the batch
  HostTensorPtr constant = {};  ///< null for what is only known when the model runs
};

/// What a node does to its result, in order, before anyone sees it. Made by the fusion passes.
struct PostOp {
  enum class Kind : uint8_t {
    kRelu,
    kLeakyRelu,    ///< x < 0: alpha * x
    kClip,         ///< alpha <= x <= beta
    kSigmoid,      ///< 1 / (1 + exp(-x))
    kHardSigmoid,  ///< max(0, min(1, alpha * x + beta))
    kHardSwish,    ///< x * max(0, min(1, x / 6 + 0.5))
    kAdd,          ///< adds the node's last input, which has the shape of the result
  };
  Kind kind;
  float alpha = 0;
  float beta = 0;
};

struct Node {
  std::string name;  ///< as in the file; may be empty
  const OperatorDef* def = nullptr;
  std::vector<ValueId> inputs = {};   ///< kNoValue for an optional one that is left out
  std::vector<ValueId> outputs = {};  ///< those that the operator supports, at least one
  Attributes attributes = {};
  std::vector<PostOp> post_ops = {};
};

struct GraphOutput {
  std::string name;  ///< the model's; the value may have another after a pass
  ValueId value = kNoValue;
};

struct Graph {
  int opset = 0;
  std::vector<Value> values;
  std::vector<Node> nodes;  ///< a node comes after those that make its inputs
  std::vector<ValueId> inputs;
  std::vector<GraphOutput> outputs;

  ValueId AddConstant(std::string name, HostTensor tensor);
  const HostTensor* ConstantOf(ValueId id) const {
    return id == kNoValue ? nullptr : values[static_cast<size_t>(id)].constant.get();
  }
  /// How many nodes and outputs read each value; a node that reads one twice counts twice.
  std::vector<int> CountReaders() const;
  /// The node that makes each value, or -1.
  std::vector<int> Producers() const;
};

/// A name out of a file made fit for a message: printable, at most 80 characters, quoted.
std::string Quoted(std::string_view name);

/// "node 'conv_3' (Conv)"
std::string Describe(const Node& node);

/// INVALID_ARGUMENT (INVALID_MODEL) naming the node.
absl::Status InvalidNode(const Node& node, std::string_view why);
/// UNIMPLEMENTED (UNSUPPORTED_OPERATOR) naming the node and its operator.
absl::Status UnsupportedNode(const Node& node, std::string_view why);
/// UNIMPLEMENTED (UNSUPPORTED_ATTRIBUTE) naming the node, its operator and the attribute.
absl::Status UnsupportedAttribute(const Node& node, std::string_view attribute, std::string_view why);

}  // namespace freqstore

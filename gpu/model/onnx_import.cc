#include "gpu/model/onnx_import.h"

#include <climits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "gpu/model/onnx_tensor.h"
#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"
#include "storage/base/utf8.h"

namespace freqstore {
namespace {

constexpr int kOpsetMin = 7;
constexpr int kOpsetMax = 21;
constexpr int kNodesMax = 20'000;

absl::Status InvalidModel(std::string_view why) {
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_MODEL", why);
}

absl::Status Unsupported(std::string_view reason, std::string_view why) {
  return MakeError(absl::StatusCode::kUnimplemented, reason, why);
}

bool IsDefaultDomain(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx";
}

class Importer {
 public:
  explicit Importer(const onnx::ModelProto& model) : model_(model), proto_(model.graph()) {}

  absl::StatusOr<ImportedModel> Import() {
    RETURN_IF_ERROR(ImportOpset());
    if (proto_.node_size() > kNodesMax) return InvalidModel(fmt::format("has more than {} nodes", kNodesMax));
    if (proto_.sparse_initializer_size() > 0)
      return Unsupported("UNSUPPORTED_TYPE", "sparse tensors are not supported");
    for (const onnx::TensorProto& tensor : proto_.initializer()) {
      ASSIGN_OR_RETURN(HostTensor constant, ImportTensor(tensor));
      RETURN_IF_ERROR(
          Define(tensor.name(), [&] { return graph().AddConstant(tensor.name(), std::move(constant)); }));
    }
    RETURN_IF_ERROR(ImportInput());
    for (const onnx::NodeProto& node : proto_.node()) RETURN_IF_ERROR(ImportNode(node));
    RETURN_IF_ERROR(ImportOutputs());
    const std::string producer = fmt::format("{} {}", model_.producer_name(), model_.producer_version());
    if (IsPrintableUtf8(producer)) result_.producer = producer;
    return std::move(result_);
  }

 private:
  Graph& graph() { return result_.graph; }

  absl::Status ImportOpset() {
    int64_t opset = -1;
    for (const onnx::OperatorSetIdProto& set : model_.opset_import()) {
      if (IsDefaultDomain(set.domain())) opset = set.version();
    }
    if (opset < kOpsetMin || opset > kOpsetMax) {
      return Unsupported("UNSUPPORTED_OPSET",
                         fmt::format("opset {} is not supported; {} to {} are", opset, kOpsetMin, kOpsetMax));
    }
    graph().opset = static_cast<int>(opset);
    return absl::OkStatus();
  }

  ValueId AddValue(const std::string& name) {
    graph().values.push_back({.name = name});
    return static_cast<ValueId>(graph().values.size() - 1);
  }

  template <typename Make>
  absl::Status Define(const std::string& name, Make make) {
    if (name.empty()) return InvalidModel("a value has no name");
    if (ids_.contains(name)) return InvalidModel(fmt::format("value {} is defined twice", Quoted(name)));
    ids_.emplace(name, make());
    return absl::OkStatus();
  }

  /// Names of the model's input and outputs travel in messages.
  static absl::Status CheckPublicName(const std::string& name) {
    if (IsPrintableUtf8(name)) return absl::OkStatus();
    return InvalidModel(fmt::format("the name {} is not printable UTF-8", Quoted(name)));
  }

  absl::Status ImportInput() {
    for (const onnx::ValueInfoProto& input : proto_.input()) {
      if (ids_.contains(input.name()) && graph().ConstantOf(ids_.at(input.name())) != nullptr) continue;
      if (!graph().inputs.empty()) {
        return Unsupported("UNSUPPORTED_SHAPE",
                           fmt::format("has inputs {} and {}; only one is supported",
                                       Quoted(graph().values.back().name), Quoted(input.name())));
      }
      RETURN_IF_ERROR(CheckPublicName(input.name()));
      RETURN_IF_ERROR(Define(input.name(), [&] { return AddValue(input.name()); }));
      graph().inputs.push_back(ids_.at(input.name()));
      RETURN_IF_ERROR(ImportInputShape(input));
    }
    return graph().inputs.empty() ? InvalidModel("has no input") : absl::OkStatus();
  }

  absl::Status ImportInputShape(const onnx::ValueInfoProto& input) {
    const std::string name = fmt::format("input {}", Quoted(input.name()));
    const onnx::TypeProto::Tensor& type = input.type().tensor_type();
    if (type.elem_type() != onnx::TensorProto::FLOAT) {
      return Unsupported("UNSUPPORTED_TYPE", fmt::format("{} is not float32", name));
    }
    if (type.shape().dim_size() != 4) {
      return Unsupported("UNSUPPORTED_SHAPE",
                         fmt::format("{} has {} dimensions; images as N x C x height x width are "
                                     "supported",
                                     name, type.shape().dim_size()));
    }
    result_.input_shape = {kBatchDimension};
    for (int d = 1; d < 4; ++d) {
      const onnx::TensorShapeProto::Dimension& dimension = type.shape().dim(d);
      if (!dimension.has_dim_value()) {
        return Unsupported("UNSUPPORTED_SHAPE",
                           fmt::format("{} has an open dimension {}; only the first may be open", name, d));
      }
      constexpr int64_t kExtentMax = 65'536;
      if (dimension.dim_value() < 1 || dimension.dim_value() > kExtentMax) {
        return InvalidModel(fmt::format("{}: dimension {} is {}", name, d, dimension.dim_value()));
      }
      result_.input_shape.push_back(dimension.dim_value());
    }
    return absl::OkStatus();
  }

  absl::Status ImportNode(const onnx::NodeProto& proto) {
    const OperatorDef* def =
        IsDefaultDomain(proto.domain()) ? OperatorRegistry::Get().Find(proto.op_type()) : nullptr;
    if (def == nullptr) {
      const std::string domain =
          IsDefaultDomain(proto.domain()) ? "" : fmt::format(" of {}", Quoted(proto.domain()));
      return Unsupported("UNSUPPORTED_OPERATOR",
                         fmt::format("node {}: operator {}{} is not supported", Quoted(proto.name()),
                                     Quoted(proto.op_type()), domain));
    }
    Node node{.name = proto.name(), .def = def};
    for (const std::string& name : proto.input()) {
      ASSIGN_OR_RETURN(const ValueId id, Input(node, name));
      node.inputs.push_back(id);
    }
    for (const onnx::AttributeProto& attribute : proto.attribute()) {
      if (!attribute.ref_attr_name().empty()) {
        return UnsupportedAttribute(node, attribute.name(), "references are not supported");
      }
      ASSIGN_OR_RETURN(std::optional<AttributeValue> value, ImportAttribute(attribute));
      if (!value) return UnsupportedAttribute(node, attribute.name(), "its type is not supported");
      if (!node.attributes.Add(attribute.name(), *std::move(value))) {
        return InvalidNode(node, fmt::format("attribute {} occurs twice", Quoted(attribute.name())));
      }
    }
    RETURN_IF_ERROR(CheckNode(node));
    RETURN_IF_ERROR(DefineOutputs(proto, node));
    graph().nodes.push_back(std::move(node));
    return absl::OkStatus();
  }

  absl::StatusOr<ValueId> Input(const Node& node, const std::string& name) const {
    if (name.empty()) return kNoValue;
    auto it = ids_.find(name);
    if (it == ids_.end()) {
      return InvalidNode(node, fmt::format("reads {}, which nothing before it provides", Quoted(name)));
    }
    if (it->second == kNoValue) {
      return UnsupportedNode(node,
                             fmt::format("reads {}, a side result that is not supported", Quoted(name)));
    }
    return it->second;
  }

  absl::Status DefineOutputs(const onnx::NodeProto& proto, Node& node) {
    for (int i = 0; i < proto.output_size(); ++i) {
      const std::string& name = proto.output(i);
      const bool supported = static_cast<size_t>(i) < node.def->outputs;
      if (name.empty()) continue;
      RETURN_IF_ERROR(Define(name, [&] { return supported ? AddValue(name) : kNoValue; }));
      if (supported) node.outputs.push_back(ids_.at(name));
    }
    if (node.outputs.size() != node.def->outputs) return InvalidNode(node, "has no result");
    return absl::OkStatus();
  }

  absl::Status ImportOutputs() {
    if (proto_.output_size() == 0) return InvalidModel("has no output");
    for (const onnx::ValueInfoProto& output : proto_.output()) {
      RETURN_IF_ERROR(CheckPublicName(output.name()));
      auto it = ids_.find(output.name());
      if (it == ids_.end() || it->second == kNoValue) {
        return InvalidModel(fmt::format("output {} is not provided by any node", Quoted(output.name())));
      }
      graph().outputs.push_back({.name = output.name(), .value = it->second});
    }
    return absl::OkStatus();
  }

  const onnx::ModelProto& model_;
  const onnx::GraphProto& proto_;
  ImportedModel result_;
  std::unordered_map<std::string, ValueId> ids_;  // kNoValue for an output that is not supported
};

}  // namespace

absl::StatusOr<ImportedModel> ImportOnnx(Bytes file) {
  onnx::ModelProto model;
  if (file.size() > INT_MAX || !model.ParseFromArray(file.data(), static_cast<int>(file.size())) ||
      !model.has_graph()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "NOT_AN_ONNX_FILE",
                     "the bytes are not an ONNX model: another format, or truncated");
  }
  return Importer(model).Import();
}

}  // namespace freqstore

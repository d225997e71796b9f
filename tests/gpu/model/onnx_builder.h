// Small ONNX files for tests, through the schema's own API.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "gpu/device/tensor.h"

namespace freqstore::testutil {

/// A model with one input "x" and one output "y", both float32, until a test bends it through proto().
class OnnxBuilder {
 public:
  explicit OnnxBuilder(const Shape& input = {-1, 3, 8, 8}, int opset = 13) {
    model_.set_ir_version(7);
    model_.set_producer_name("test");
    model_.add_opset_import()->set_version(opset);
    AddInput("x", input);
    model_.mutable_graph()->add_output()->set_name("y");
  }

  onnx::ModelProto& proto() { return model_; }
  onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  std::string Serialize() const { return model_.SerializeAsString(); }

  OnnxBuilder& AddInput(const std::string& name, const Shape& shape) {
    onnx::ValueInfoProto& input = *graph().add_input();
    input.set_name(name);
    onnx::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    for (int64_t dimension : shape) {
      onnx::TensorShapeProto::Dimension& dim = *type.mutable_shape()->add_dim();
      if (dimension < 0) {
        dim.set_dim_param("N");
      } else {
        dim.set_dim_value(dimension);
      }
    }
    return *this;
  }

  OnnxBuilder& Floats(const std::string& name, const Shape& shape, const std::vector<float>& values) {
    onnx::TensorProto& tensor = AddTensor(name, shape, onnx::TensorProto::FLOAT);
    tensor.mutable_float_data()->Add(values.begin(), values.end());
    return *this;
  }
  OnnxBuilder& Int64s(const std::string& name, const Shape& shape, const std::vector<int64_t>& values) {
    onnx::TensorProto& tensor = AddTensor(name, shape, onnx::TensorProto::INT64);
    tensor.mutable_int64_data()->Add(values.begin(), values.end());
    return *this;
  }
  OnnxBuilder& Raw(const std::string& name, const Shape& shape, int type, const std::string& bytes) {
    AddTensor(name, shape, type).set_raw_data(bytes);
    return *this;
  }

  /// The following attributes are this node's.
  OnnxBuilder& Node(const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs) {
    onnx::NodeProto& node = *graph().add_node();
    node.set_op_type(op);
    node.set_name(fmt::format("the {}", op));
    for (const std::string& name : inputs) node.add_input(name);
    for (const std::string& name : outputs) node.add_output(name);
    return *this;
  }
  OnnxBuilder& Int(const std::string& name, int64_t value) {
    AddAttribute(name, onnx::AttributeProto::INT).set_i(value);
    return *this;
  }
  OnnxBuilder& Float(const std::string& name, float value) {
    AddAttribute(name, onnx::AttributeProto::FLOAT).set_f(value);
    return *this;
  }
  OnnxBuilder& String(const std::string& name, const std::string& value) {
    AddAttribute(name, onnx::AttributeProto::STRING).set_s(value);
    return *this;
  }
  OnnxBuilder& Ints(const std::string& name, const std::vector<int64_t>& values) {
    AddAttribute(name, onnx::AttributeProto::INTS).mutable_ints()->Add(values.begin(), values.end());
    return *this;
  }

 private:
  onnx::TensorProto& AddTensor(const std::string& name, const Shape& shape, int type) {
    onnx::TensorProto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    tensor.mutable_dims()->Add(shape.begin(), shape.end());
    return tensor;
  }
  onnx::AttributeProto& AddAttribute(const std::string& name, onnx::AttributeProto::AttributeType type) {
    onnx::AttributeProto& attribute = *graph().mutable_node(graph().node_size() - 1)->add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
  }

  onnx::ModelProto model_;
};

}  // namespace freqstore::testutil

// Files that are wrong, or ask for what is not there, are refused: no crash, no huge allocation.
#include <functional>
#include <limits>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "gpu/model/model.h"
#include "storage/base/coding.h"
#include "storage/base/status.h"
#include "tests/gpu/model/onnx_builder.h"

namespace freqstore {
namespace {

using testutil::OnnxBuilder;

absl::Status Import(const std::string& file) {
  return Model::FromOnnx(AsBytes(file)).status();
}
absl::Status Import(const OnnxBuilder& builder) {
  return Import(builder.Serialize());
}

void CheckInvalid(const absl::Status& status) {
  INFO(status);
  CHECK(status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(ReasonOf(status) == "INVALID_MODEL");
}

/// x -> Conv -> Relu -> y
OnnxBuilder SmallNet() {
  OnnxBuilder builder;
  builder.Floats("w", {4, 3, 3, 3}, std::vector<float>(4 * 27, 0.5F)).Floats("b", {4}, {0, 1, 2, 3});
  builder.Node("Conv", {"x", "w", "b"}, {"c"}).Ints("pads", {1, 1, 1, 1});
  builder.Node("Relu", {"c"}, {"y"});
  return builder;
}

/// One bent thing after the other, each of which makes the small net invalid.
void CheckEachInvalid(const std::vector<std::function<void(OnnxBuilder&)>>& bends) {
  for (size_t i = 0; i < bends.size(); ++i) {
    CAPTURE(i);
    OnnxBuilder builder = SmallNet();
    bends[i](builder);
    CheckInvalid(Import(builder));
  }
}

}  // namespace

TEST_CASE("The small net itself is fine") {
  CHECK(Import(SmallNet()).ok());
}

TEST_CASE("What is no ONNX file is refused") {
  for (const std::string& file :
       {std::string(), std::string("\xff\xd8\xff\xe0 JFIF"), std::string(1000, '\0')}) {
    const absl::Status status = Import(file);
    CHECK(status.code() == absl::StatusCode::kInvalidArgument);
    CHECK(ReasonOf(status) == "NOT_AN_ONNX_FILE");
  }
}

TEST_CASE("Every truncation is refused") {
  const std::string file = SmallNet().Serialize();
  for (size_t size = 0; size < file.size(); ++size) {
    const absl::Status status = Import(file.substr(0, size));
    CAPTURE(size, status.ToString());
    // A cut between two fields of the model leaves a file that parses, but lacks what comes last.
    CHECK((status.code() == absl::StatusCode::kInvalidArgument || ReasonOf(status) == "UNSUPPORTED_OPSET"));
  }
}

TEST_CASE("A flipped bit never crashes") {
  const std::string file = SmallNet().Serialize();
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    (void)Import(damaged);
  }
}

TEST_CASE("Initializers whose data does not match their shape are refused") {
  auto weights = [](OnnxBuilder& b) { return b.graph().mutable_initializer(0); };
  CheckEachInvalid({
      [&](OnnxBuilder& b) { weights(b)->mutable_float_data()->RemoveLast(); },
      [&](OnnxBuilder& b) { weights(b)->add_float_data(1); },
      [&](OnnxBuilder& b) { weights(b)->set_raw_data("abc"); },
      [&](OnnxBuilder& b) { weights(b)->set_raw_data(std::string(4 * 27 * 4 + 4, 'x')); },
      [&](OnnxBuilder& b) { weights(b)->set_dims(0, -4); },
      [&](OnnxBuilder& b) { weights(b)->set_dims(0, int64_t{1} << 62); },
      [&](OnnxBuilder& b) { weights(b)->set_dims(0, std::numeric_limits<int64_t>::min()); },
      [&](OnnxBuilder& b) { weights(b)->mutable_dims()->Resize(1000, 1); },
      [&](OnnxBuilder& b) { weights(b)->set_dims(0, 0); },
  });
}

TEST_CASE("Graphs that do not hang together are refused") {
  auto node = [](OnnxBuilder& b, int i) { return b.graph().mutable_node(i); };
  auto set_input = [&](OnnxBuilder& b, int i, const std::string& name) {
    *node(b, i)->mutable_input(0) = name;
  };
  auto set_output = [&](OnnxBuilder& b, int i, const std::string& name) {
    *node(b, i)->mutable_output(0) = name;
  };
  CheckEachInvalid({
      [&](OnnxBuilder& b) { set_input(b, 0, "nowhere"); },
      [&](OnnxBuilder& b) { set_input(b, 0, "y"); },   // a cycle
      [&](OnnxBuilder& b) { set_input(b, 1, "y"); },   // a node that reads itself
      [&](OnnxBuilder& b) { set_output(b, 1, "c"); },  // made twice
      [&](OnnxBuilder& b) { set_output(b, 1, "x"); },  // hides the input
      [&](OnnxBuilder& b) { set_output(b, 1, "w"); },
      [&](OnnxBuilder& b) { node(b, 1)->clear_output(); },
      [&](OnnxBuilder& b) { node(b, 1)->clear_input(); },
      [&](OnnxBuilder& b) { set_input(b, 1, ""); },
      [&](OnnxBuilder& b) { *node(b, 1)->add_input() = b.graph().initializer(0).name(); },
      [&](OnnxBuilder& b) { b.graph().mutable_initializer(1)->set_name(b.graph().initializer(0).name()); },
      [&](OnnxBuilder& b) { b.graph().mutable_initializer(1)->clear_name(); },
      [&](OnnxBuilder& b) { b.graph().clear_input(); },
      [&](OnnxBuilder& b) { b.graph().clear_output(); },
      [&](OnnxBuilder& b) { b.graph().mutable_output(0)->set_name("nowhere"); },
      [&](OnnxBuilder& b) {
        set_output(b, 1, "\xff\xfe");
        b.graph().mutable_output(0)->set_name("\xff\xfe");
      },
      [&](OnnxBuilder& b) { *node(b, 0)->add_attribute() = node(b, 0)->attribute(0); },
      [&](OnnxBuilder& b) {
        b.Ints("group", {1});
        *node(b, 0)->add_attribute() = node(b, 1)->attribute(0);
      },
  });
}

TEST_CASE("Shapes that cannot be are refused") {
  auto dim = [](OnnxBuilder& b, int d) {
    return b.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(d);
  };
  auto conv = [](OnnxBuilder& b) { return b.graph().mutable_node(0); };
  auto add_ints = [&](OnnxBuilder& b, const std::string& name, std::vector<int64_t> values) {
    onnx::AttributeProto* attribute = conv(b)->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INTS);
    attribute->mutable_ints()->Add(values.begin(), values.end());
  };
  auto set_pads = [&](OnnxBuilder& b, int64_t pad) { conv(b)->mutable_attribute(0)->set_ints(0, pad); };
  CheckEachInvalid({
      [&](OnnxBuilder& b) { dim(b, 2)->set_dim_value(-1); },
      [&](OnnxBuilder& b) { dim(b, 2)->set_dim_value(0); },
      [&](OnnxBuilder& b) { dim(b, 2)->set_dim_value(int64_t{1} << 40); },
      [&](OnnxBuilder& b) { dim(b, 1)->set_dim_value(5); },
      [&](OnnxBuilder& b) {
        add_ints(b, "strides", {0, 1});
      },
      [&](OnnxBuilder& b) { add_ints(b, "strides", {1}); },
      [&](OnnxBuilder& b) {
        add_ints(b, "dilations", {-1, 1});
      },
      [&](OnnxBuilder& b) {
        add_ints(b, "dilations", {100, 1});
      },
      [&](OnnxBuilder& b) {
        add_ints(b, "kernel_shape", {5, 5});
      },
      [&](OnnxBuilder& b) { set_pads(b, -1); },
      [&](OnnxBuilder& b) { set_pads(b, std::numeric_limits<int64_t>::max()); },
      [&](OnnxBuilder& b) { b.graph().mutable_initializer(1)->mutable_dims()->Add(1); },
  });
}

TEST_CASE("A few bytes cannot ask for much memory") {
  constexpr int64_t kHuge = int64_t{1} << 36;
  OnnxBuilder constant;
  constant.Int64s("s", {2}, {kHuge, 16}).Node("ConstantOfShape", {"s"}, {"k"}).Node("Add", {"x", "k"}, {"y"});
  CheckInvalid(Import(constant));

  OnnxBuilder many;
  many.Int64s("s", {2}, {1024, 1024});
  for (int i = 0; i < 100; ++i) many.Node("ConstantOfShape", {"s"}, {fmt::format("k{}", i)});
  many.Node("Relu", {"x"}, {"y"});
  CheckInvalid(Import(many));

  OnnxBuilder expanded;
  expanded.Int64s("s", {4}, {1, 3, kHuge, kHuge / 64}).Node("ReduceMean", {"x"}, {"m"}).Ints("axes", {2, 3});
  expanded.Node("Expand", {"m", "s"}, {"y"});
  CheckInvalid(Import(expanded));

  OnnxBuilder padded;
  padded.Int64s("p", {8}, {0, 0, 1 << 20, 1 << 20, 0, 0, 0, 0}).Node("Pad", {"x", "p"}, {"y"});
  CheckInvalid(Import(padded));

  OnnxBuilder negative;
  negative.Int64s("s", {2}, {-5, 16}).Node("Expand", {"x", "s"}, {"y"});
  CheckInvalid(Import(negative));
}

TEST_CASE("What is not supported is named") {
  OnnxBuilder op = SmallNet();
  op.graph().mutable_node(1)->set_op_type("NonMaxSuppression");
  absl::Status status = Import(op);
  CHECK(status.code() == absl::StatusCode::kUnimplemented);
  CHECK(ReasonOf(status) == "UNSUPPORTED_OPERATOR");
  CHECK(MessageOf(status).find("'the Relu'") != std::string_view::npos);
  CHECK(MessageOf(status).find("NonMaxSuppression") != std::string_view::npos);

  OnnxBuilder domain = SmallNet();
  domain.graph().mutable_node(1)->set_domain("com.example");
  CHECK(ReasonOf(Import(domain)) == "UNSUPPORTED_OPERATOR");

  OnnxBuilder attribute = SmallNet();
  attribute.String("shape_of_water", "wet");
  status = Import(attribute);
  CHECK(status.code() == absl::StatusCode::kUnimplemented);
  CHECK(ReasonOf(status) == "UNSUPPORTED_ATTRIBUTE");
  CHECK(MessageOf(status).find("node 'the Relu' (Relu)") != std::string_view::npos);
  CHECK(MessageOf(status).find("shape_of_water") != std::string_view::npos);

  OnnxBuilder value;
  value.Node("MaxPool", {"x"}, {"y"}).Ints("kernel_shape", {2, 2}).Int("storage_order", 1);
  CHECK(ReasonOf(Import(value)) == "UNSUPPORTED_ATTRIBUTE");

  OnnxBuilder side;
  side.Node("MaxPool", {"x"}, {"m", "indices"}).Ints("kernel_shape", {2, 2});
  side.Node("Add", {"m", "indices"}, {"y"});
  CHECK(ReasonOf(Import(side)) == "UNSUPPORTED_OPERATOR");

  OnnxBuilder type = SmallNet();
  type.graph().mutable_initializer(0)->set_data_type(onnx::TensorProto::DOUBLE);
  CHECK(ReasonOf(Import(type)) == "UNSUPPORTED_TYPE");

  OnnxBuilder integers;
  integers.Node("Cast", {"x"}, {"y"}).Int("to", onnx::TensorProto::INT64);
  CHECK(ReasonOf(Import(integers)) == "UNSUPPORTED_TYPE");

  OnnxBuilder runtime_shape;
  runtime_shape.Node("Shape", {"x"}, {"y"});
  CHECK(ReasonOf(Import(runtime_shape)) == "UNSUPPORTED_SHAPE");

  OnnxBuilder fixed_batch;
  fixed_batch.Int64s("s", {2}, {1, 192}).Node("Reshape", {"x", "s"}, {"y"});
  CHECK(Import(fixed_batch).code() != absl::StatusCode::kOk);

  OnnxBuilder inputs = SmallNet();
  inputs.AddInput("z", {1, 3, 8, 8});
  CHECK(ReasonOf(Import(inputs)) == "UNSUPPORTED_SHAPE");

  OnnxBuilder opset = SmallNet();
  opset.proto().mutable_opset_import(0)->set_version(99);
  CHECK(ReasonOf(Import(opset)) == "UNSUPPORTED_OPSET");
}

TEST_CASE("Names out of a file are made printable in messages") {
  OnnxBuilder builder = SmallNet();
  std::string name = "\x1b[31m\n\xff";
  name.append(5000, 'a');
  builder.graph().mutable_node(1)->set_op_type(name);
  const absl::Status status = Import(builder);
  CHECK(MessageOf(status).size() < 400);
  for (char c : MessageOf(status)) CHECK((c >= ' ' && c <= '~'));
}

}  // namespace freqstore

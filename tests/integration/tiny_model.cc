#include "tests/integration/tiny_model.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/gpu/model/onnx_builder.h"

namespace freqstore::testutil {

std::string ChannelMeanModel() {
  OnnxBuilder builder({-1, 3, 8, 8});
  builder.Node("GlobalAveragePool", {"x"}, {"pooled"}).Node("Flatten", {"pooled"}, {"y"}).Int("axis", 1);
  return builder.Serialize();
}

void RegisterChannelMean(client::Client& client, const std::string& name) {
  v1::ModelSpec spec;
  spec.set_model_id(name);
  for (int c = 0; c < 3; ++c) spec.mutable_input_spec()->add_scale(1.F / 255);
  for (const char* label : {"red", "green", "blue"}) spec.add_labels(label);
  v1::Model model;
  const grpc::Status status = client.RegisterModel(spec, ChannelMeanModel(), model);
  INFO(status.error_message());
  REQUIRE(status.ok());
  REQUIRE(model.outputs(0).shape(1) == 3);
}

}  // namespace freqstore::testutil

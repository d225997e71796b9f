// A model that can run on any device: an ONNX graph, imported, checked and optimised.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/device/tensor.h"
#include "storage/base/coding.h"

namespace freqstore {

struct Graph;

/// A named input or output. A dimension of -1 is dynamic (the batch).
struct ValueInfo {
  std::string name;
  Shape shape;
};

/// Immutable and thread-safe; workers share one.
class Model {
 public:
  /// Imports an ONNX file (opset 7 to 21) and runs the graph passes. Exactly one input that is not an
  /// initializer: N x C x height x width float32, all but N fixed. N is free even where the file writes a
  /// number for it, and every output is float32 with N first. A hostile file costs memory in proportion to
  /// its size. Errors, naming node and operator:
  ///   NOT_AN_ONNX_FILE, INVALID_MODEL (INVALID_ARGUMENT);
  ///   UNSUPPORTED_OPERATOR, UNSUPPORTED_ATTRIBUTE, UNSUPPORTED_TYPE, UNSUPPORTED_SHAPE, UNSUPPORTED_OPSET
  ///   (UNIMPLEMENTED).
  static absl::StatusOr<std::shared_ptr<const Model>> FromOnnx(Bytes file);
  ~Model();

  const ValueInfo& input() const { return input_; }
  const std::vector<ValueInfo>& outputs() const { return outputs_; }
  const Graph& graph() const { return *graph_; }

  int64_t parameters() const { return parameters_; }          ///< number of weights, after folding
  int64_t macs_per_image() const { return macs_per_image_; }  ///< multiply-accumulates, 0 if unknown
  const std::string& producer() const {
    return producer_;
  }  ///< the program that wrote the file, and its version

 private:
  Model();

  ValueInfo input_;
  std::vector<ValueInfo> outputs_;
  std::unique_ptr<Graph> graph_;
  int64_t parameters_ = 0;
  int64_t macs_per_image_ = 0;
  std::string producer_;
};

}  // namespace freqstore

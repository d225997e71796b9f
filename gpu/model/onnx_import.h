// An ONNX file as a Graph.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "gpu/model/graph.h"
#include "storage/base/coding.h"

namespace freqstore {

struct ImportedModel {
  Graph graph;
  Shape input_shape;  ///< of the one input: rank 4; the first dimension is the batch, the others are numbers
  std::string producer;
};

/// Parses and checks: names are unique, every input is known before it is read (so there is no cycle),
/// operators, arities and attributes are among the registry's. No shapes yet. Errors: NOT_AN_ONNX_FILE,
/// INVALID_MODEL (INVALID_ARGUMENT); UNSUPPORTED_OPERATOR, UNSUPPORTED_ATTRIBUTE, UNSUPPORTED_TYPE,
/// UNSUPPORTED_SHAPE, UNSUPPORTED_OPSET (UNIMPLEMENTED).
absl::StatusOr<ImportedModel> ImportOnnx(Bytes file);

}  // namespace freqstore

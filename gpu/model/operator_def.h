// What the product knows about an operator: its arity, its attributes, its shapes, how to fold it. Devices
// add how to run it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/model/attributes.h"

namespace freqstore {

class NodeContext;
struct Node;

struct AttributeSpec {
  std::string name;
  AttributeKind kind;
  std::vector<AttributeValue> supported = {};  ///< the values that are; empty if all of its kind are
};

struct OperatorDef {
  enum class Runs : uint8_t {
    kOnDevice,   ///< every device runs it
    kFolded,     ///< only where its result is known before the model runs
    kRewritten,  ///< a pass replaces it by others
  };
  /// What `evaluate` needs to know of the inputs.
  enum class FoldsFrom : uint8_t { kNothing, kValues, kShapes };

  std::string_view name;
  size_t inputs_min = 1;
  size_t inputs_max = 1;
  size_t outputs = 1;  ///< supported; a file may list more, as long as nobody reads them
  std::vector<AttributeSpec> attributes = {};
  Runs runs = Runs::kOnDevice;
  bool takes_activations = false;  ///< as post-ops
  bool takes_residual = false;     ///< as its first post-op
  bool passes_through = false;     ///< the result is the first input, unchanged

  /// Checks the inputs and sets type and shape of the output.
  absl::Status (*infer)(NodeContext&) = nullptr;
  /// The output, after `infer`, from what FoldsFrom says.
  absl::StatusOr<HostTensor> (*evaluate)(const NodeContext&) = nullptr;
  FoldsFrom folds_from = FoldsFrom::kNothing;
  /// Multiply-accumulates, after `infer`.
  int64_t (*macs)(const NodeContext&) = nullptr;
};

inline AttributeSpec IntAttribute(std::string name, std::vector<AttributeValue> supported = {}) {
  return {std::move(name), AttributeKind::kInt, std::move(supported)};
}
inline AttributeSpec IntsAttribute(std::string name) {
  return {std::move(name), AttributeKind::kInts};
}
inline AttributeSpec FloatAttribute(std::string name) {
  return {std::move(name), AttributeKind::kFloat};
}
inline AttributeSpec FloatsAttribute(std::string name) {
  return {std::move(name), AttributeKind::kFloats};
}
inline AttributeSpec TensorAttribute(std::string name) {
  return {std::move(name), AttributeKind::kTensor};
}
inline AttributeSpec StringAttribute(std::string name, std::vector<AttributeValue> supported = {}) {
  return {std::move(name), AttributeKind::kString, std::move(supported)};
}

}  // namespace freqstore

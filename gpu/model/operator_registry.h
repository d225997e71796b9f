// The operators that a model may use.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gpu/model/graph.h"
#include "gpu/model/operator_def.h"

namespace freqstore {

/// Built once, on first use, from the files in operators/; immutable then, and thread-safe.
class OperatorRegistry {
 public:
  static const OperatorRegistry& Get();

  /// Null if there is no such operator in ONNX's default domain that we know.
  const OperatorDef* Find(std::string_view name) const;

  std::vector<const OperatorDef*> All() const;

  /// For the functions below only.
  void Add(OperatorDef def);

 private:
  OperatorRegistry();
  std::map<std::string_view, OperatorDef> operators_;
};

/// Checks arity and attributes against the definition. Errors: INVALID_MODEL, UNSUPPORTED_ATTRIBUTE.
absl::Status CheckNode(const Node& node);

/// One function a file of operators/.
void AddActivationOperators(OperatorRegistry& registry);
void AddArithmeticOperators(OperatorRegistry& registry);
void AddConstantOperators(OperatorRegistry& registry);
void AddConvOperators(OperatorRegistry& registry);
void AddMatmulOperators(OperatorRegistry& registry);
void AddNormalizationOperators(OperatorRegistry& registry);
void AddPoolOperators(OperatorRegistry& registry);
void AddReduceOperators(OperatorRegistry& registry);
void AddResizeOperators(OperatorRegistry& registry);
void AddReshapeOperators(OperatorRegistry& registry);
void AddLayoutOperators(OperatorRegistry& registry);
void AddSelectionOperators(OperatorRegistry& registry);

}  // namespace freqstore

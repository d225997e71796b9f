#include "gpu/model/operator_registry.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace freqstore {

OperatorRegistry::OperatorRegistry() {
  AddActivationOperators(*this);
  AddArithmeticOperators(*this);
  AddConstantOperators(*this);
  AddConvOperators(*this);
  AddMatmulOperators(*this);
  AddNormalizationOperators(*this);
  AddPoolOperators(*this);
  AddReduceOperators(*this);
  AddResizeOperators(*this);
  AddReshapeOperators(*this);
  AddLayoutOperators(*this);
  AddSelectionOperators(*this);
}

const OperatorRegistry& OperatorRegistry::Get() {
  static const OperatorRegistry registry;
  return registry;
}

void OperatorRegistry::Add(OperatorDef def) {
  [[maybe_unused]] const bool added = operators_.try_emplace(def.name, std::move(def)).second;
  assert(added);
}

const OperatorDef* OperatorRegistry::Find(std::string_view name) const {
  auto it = operators_.find(name);
  return it == operators_.end() ? nullptr : &it->second;
}

std::vector<const OperatorDef*> OperatorRegistry::All() const {
  std::vector<const OperatorDef*> all;
  for (const auto& [name, def] : operators_) all.push_back(&def);
  return all;
}

absl::Status CheckNode(const Node& node) {
  const OperatorDef& def = *node.def;
  if (node.inputs.size() < def.inputs_min || node.inputs.size() > def.inputs_max) {
    return InvalidNode(node, fmt::format("has {} inputs; the operator takes {} to {}", node.inputs.size(),
                                         def.inputs_min, def.inputs_max));
  }
  for (size_t i = 0; i < def.inputs_min; ++i) {
    if (node.inputs[i] == kNoValue) return InvalidNode(node, fmt::format("input {} is left out", i));
  }
  for (const auto& [name, value] : node.attributes) {
    auto spec = std::ranges::find(def.attributes, name, &AttributeSpec::name);
    if (spec == def.attributes.end()) return UnsupportedAttribute(node, name, "is not supported");
    if (value.index() != static_cast<size_t>(spec->kind)) {
      return InvalidNode(node, fmt::format("attribute {} is of the wrong type", Quoted(name)));
    }
    if (!spec->supported.empty() && std::ranges::find(spec->supported, value) == spec->supported.end()) {
      std::string text = "this value is not supported";
      if (const auto* number = std::get_if<int64_t>(&value))
        text = fmt::format("{} is not supported", *number);
      if (const auto* word = std::get_if<std::string>(&value))
        text = fmt::format("{} is not supported", Quoted(*word));
      return UnsupportedAttribute(node, name, text);
    }
  }
  return absl::OkStatus();
}

}  // namespace freqstore

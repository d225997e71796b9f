#include "gpu/model/graph.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "gpu/model/operator_def.h"
#include "storage/base/status.h"

namespace freqstore {

ValueId Graph::AddConstant(std::string name, HostTensor tensor) {
  Value value{.name = std::move(name), .type = tensor.type(), .shape = tensor.shape(), .constant = nullptr};
  value.constant = std::make_shared<const HostTensor>(std::move(tensor));
  values.push_back(std::move(value));
  return static_cast<ValueId>(values.size() - 1);
}

std::vector<int> Graph::CountReaders() const {
  std::vector<int> readers(values.size(), 0);
  for (const Node& node : nodes) {
    for (ValueId id : node.inputs) {
      if (id != kNoValue) ++readers[static_cast<size_t>(id)];
    }
  }
  for (const GraphOutput& output : outputs) ++readers[static_cast<size_t>(output.value)];
  return readers;
}

std::vector<int> Graph::Producers() const {
  std::vector<int> producers(values.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (ValueId id : nodes[i].outputs) producers[static_cast<size_t>(id)] = static_cast<int>(i);
  }
  return producers;
}

std::string Quoted(std::string_view name) {
  constexpr size_t kLengthMax = 80;
  std::string text = "'";
  for (char c : name.substr(0, kLengthMax)) text.push_back(c >= ' ' && c <= '~' ? c : '?');
  if (name.size() > kLengthMax) text += "...";
  text.push_back('\'');
  return text;
}

std::string Describe(const Node& node) {
  return fmt::format("node {} ({})", Quoted(node.name), node.def == nullptr ? "?" : node.def->name);
}

absl::Status InvalidNode(const Node& node, std::string_view why) {
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_MODEL",
                   fmt::format("{}: {}", Describe(node), why));
}

absl::Status UnsupportedNode(const Node& node, std::string_view why) {
  return MakeError(absl::StatusCode::kUnimplemented, "UNSUPPORTED_OPERATOR",
                   fmt::format("{}: {}", Describe(node), why));
}

absl::Status UnsupportedAttribute(const Node& node, std::string_view attribute, std::string_view why) {
  return MakeError(absl::StatusCode::kUnimplemented, "UNSUPPORTED_ATTRIBUTE",
                   fmt::format("{}: attribute {}: {}", Describe(node), Quoted(attribute), why));
}

}  // namespace freqstore

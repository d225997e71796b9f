// The attributes of a node, typed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/model/host_tensor.h"

namespace freqstore {

using AttributeValue =
    std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<float>, HostTensorPtr>;

/// The alternatives of AttributeValue, in its order.
enum class AttributeKind : uint8_t { kInt, kFloat, kString, kInts, kFloats, kTensor };

/// Getters take what the operator's definition declares: the registry has checked names and kinds before
/// anyone asks, so a value of another kind is our own bug (std::get terminates).
class Attributes {
 public:
  /// False if the name is taken.
  bool Add(std::string name, AttributeValue value) {
    return values_.try_emplace(std::move(name), std::move(value)).second;
  }

  void Remove(std::string_view name) {
    if (auto it = values_.find(name); it != values_.end()) values_.erase(it);
  }

  const AttributeValue* Find(std::string_view name) const {
    auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }
  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  int64_t Int(std::string_view name, int64_t otherwise) const { return Get<int64_t>(name, otherwise); }
  float Float(std::string_view name, float otherwise) const { return Get<float>(name, otherwise); }
  std::string String(std::string_view name, std::string otherwise) const {
    return Get(name, std::move(otherwise));
  }
  std::vector<int64_t> Ints(std::string_view name, std::vector<int64_t> otherwise) const {
    return Get(name, std::move(otherwise));
  }
  std::vector<float> Floats(std::string_view name) const { return Get<std::vector<float>>(name, {}); }
  HostTensorPtr Tensor(std::string_view name) const { return Get<HostTensorPtr>(name, nullptr); }

  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  template <typename T>
  T Get(std::string_view name, T otherwise) const {
    const AttributeValue* value = Find(name);
    return value == nullptr ? std::move(otherwise) : std::get<T>(*value);
  }

  std::map<std::string, AttributeValue, std::less<>> values_;
};

}  // namespace freqstore

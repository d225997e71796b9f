#include "server/plan/filter/attribute_suggestion.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "fmt/format.h"
#include "server/plan/filter/filter_error.h"

namespace freqstore {
namespace {

constexpr size_t kListed = 12;
constexpr size_t kNameBytesMax = 64;  // of names that are compared

std::vector<std::string_view> Names(const AttributeSchema& schema) {
  std::vector<std::string_view> names;
  for (const AttributeDef& def : schema.own()) names.push_back(def.name);
  for (const AttributeDef& def : SystemAttributes()) names.push_back(def.name);
  return names;
}

char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Characters to insert, delete or replace to make `b` of `a`, in lower case or not.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (ToLower(a[i]) == ToLower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestAttribute(std::string_view name, const AttributeSchema& schema) {
  if (name.size() > kNameBytesMax) return {};
  std::string_view nearest;
  size_t least = (name.size() + 1) / 3 + 1;
  for (const std::string_view known : Names(schema)) {
    const size_t distance = EditDistance(name, known);
    if (distance >= least) continue;
    least = distance;
    nearest = known;
  }
  return std::string(nearest);
}

std::string UnknownAttributeMessage(std::string_view name, const AttributeSchema& schema) {
  const std::string nearest = NearestAttribute(name, schema);
  std::string message = fmt::format("there is no attribute '{}'", Shorten(name));
  message += nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest);
  std::vector<std::string_view> names = Names(schema);
  const size_t more = names.size() - std::min(names.size(), kListed);
  names.resize(names.size() - more);
  message += fmt::format(" Attributes: {}", fmt::join(names, ", "));
  if (more > 0) message += fmt::format(" and {} more", more);
  return message;
}

}  // namespace freqstore

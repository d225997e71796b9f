#include "server/plan/filter/filter_binder.h"

#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "fmt/format.h"
#include "server/plan/filter/attribute_suggestion.h"
#include "server/plan/filter/filter_error.h"
#include "server/plan/filter/filter_number.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using Comparison = Predicate::Comparison;

bool IsOrdering(Comparison comparison) {
  return comparison != Comparison::kEqual && comparison != Comparison::kNotEqual;
}

/// What an integer must be to stand so to a number, which need not be one. Nothing if it is an integer that
/// is asked for and the number is none.
std::optional<std::pair<Comparison, int64_t>> CompareInteger(Comparison comparison,
                                                             const FilterNumber& number) {
  const auto [floor, is_exact] = FloorOf(number);
  if (is_exact) return std::pair(comparison, *floor);
  if (!IsOrdering(comparison)) return std::nullopt;
  const bool is_upper_bound = comparison == Comparison::kLess || comparison == Comparison::kLessOrEqual;
  if (floor) return std::pair(is_upper_bound ? Comparison::kLessOrEqual : Comparison::kGreater, *floor);
  return std::pair(is_upper_bound ? Comparison::kLess : Comparison::kGreaterOrEqual,
                   std::numeric_limits<int64_t>::min());
}

std::optional<double> ReadDouble(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "inf" || text == "+inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  if (!ParseFilterNumber(text)) return std::nullopt;
  return NearestDouble(text);
}

std::string_view WhatItTakes(AttributeType type) {
  switch (type) {
    case AttributeType::kString:
      return "a word without * (there are no wildcards), or any text in quotes";
    case AttributeType::kInteger:
      return "an integer without quotes";
    case AttributeType::kDouble:
      return "a number without quotes, within the range of doubles";
    case AttributeType::kBool:
      return "true or false";
    case AttributeType::kTimestamp:
      break;
  }
  return "a date or time of RFC 3339, such as 2026-01-31 or 2026-01-31T12:00:00Z";
}

class Binder {
 public:
  Binder(std::string_view filter, const AttributeSchema& schema) : filter_(filter), schema_(schema) {}

  absl::StatusOr<Predicate> Bind(const FilterNode& node) const {
    if (node.kind == FilterNode::Kind::kRestriction) return BindRestriction(node.restriction);
    std::vector<Predicate> parts;
    for (const FilterNode& part : node.parts) {
      ASSIGN_OR_RETURN(Predicate bound, Bind(part));
      parts.push_back(std::move(bound));
    }
    if (node.kind == FilterNode::Kind::kNot) return Predicate::Not(std::move(parts.front()));
    return node.kind == FilterNode::Kind::kAnd ? Predicate::And(std::move(parts))
                                               : Predicate::Or(std::move(parts));
  }

 private:
  absl::StatusOr<Predicate> BindRestriction(const FilterRestriction& restriction) const {
    const AttributeDef* const def = schema_.Find(restriction.attribute);
    if (def == nullptr) {
      return FilterError("UNKNOWN_ATTRIBUTE", filter_, restriction.attribute_offset,
                         UnknownAttributeMessage(restriction.attribute, schema_));
    }
    const bool is_star = restriction.value == "*" && !restriction.is_quoted;
    const bool is_contains = restriction.comparison == Comparison::kContains;
    if (is_star && is_contains) return Predicate::Has(def->id);
    if (is_contains && def->type != AttributeType::kString) {
      return TypeError(
          restriction,
          fmt::format("'{0}' is of type {1} and ':' looks into strings; write {0} = ..., or {0}:* "
                      "for images that have it",
                      def->name, TypeName(def->type)));
    }
    return BindValue(*def, restriction);
  }

  absl::StatusOr<Predicate> BindValue(const AttributeDef& def, const FilterRestriction& restriction) const {
    Comparison comparison = restriction.comparison;
    AttributeValue value;
    switch (def.type) {
      case AttributeType::kString:
        if (restriction.is_quoted || restriction.value.find('*') == std::string::npos)
          value = restriction.value;
        break;
      case AttributeType::kInteger:
        if (const auto number = NumberOf(restriction)) {
          const auto compared = CompareInteger(comparison, *number);
          if (!compared) return NoInteger(def, restriction);
          std::tie(comparison, value) = *compared;
        }
        break;
      case AttributeType::kDouble:
        if (const auto number = ReadDouble(restriction.value); number && !restriction.is_quoted)
          value = *number;
        break;
      case AttributeType::kBool:
        if (!restriction.is_quoted && (restriction.value == "true" || restriction.value == "false"))
          value = restriction.value == "true";
        break;
      case AttributeType::kTimestamp:
        if (const auto timestamp = ParseTimestamp(restriction.value)) value = *timestamp;
        break;
    }
    if (!IsPresent(value)) return Mismatch(def, restriction);
    return Predicate::Compare(def.id, comparison, std::move(value));
  }

  static std::optional<FilterNumber> NumberOf(const FilterRestriction& restriction) {
    if (restriction.is_quoted) return std::nullopt;
    return ParseFilterNumber(restriction.value);
  }

  absl::Status TypeError(const FilterRestriction& restriction, std::string_view what) const {
    return FilterError("FILTER_TYPE", filter_, restriction.value_offset, what);
  }

  absl::Status NoInteger(const AttributeDef& def, const FilterRestriction& restriction) const {
    return TypeError(restriction,
                     fmt::format("'{}' is of type integer, 64 bits, and never {}; compare it with "
                                 "< <= > or >=",
                                 def.name, Shorten(restriction.value)));
  }

  absl::Status Mismatch(const AttributeDef& def, const FilterRestriction& restriction) const {
    const std::string shown = restriction.is_quoted ? FormatValue(restriction.value) : restriction.value;
    return TypeError(restriction, fmt::format("'{}' is of type {}, which takes {}, not {}", def.name,
                                              TypeName(def.type), WhatItTakes(def.type), Shorten(shown)));
  }

  std::string_view filter_;
  const AttributeSchema& schema_;
};

}  // namespace

absl::StatusOr<Predicate> BindFilter(const FilterNode& tree, std::string_view filter,
                                     const AttributeSchema& schema) {
  return Binder(filter, schema).Bind(tree);
}

}  // namespace freqstore

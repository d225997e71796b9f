// FormatPredicate.
#include <cassert>

#include "fmt/format.h"
#include "server/plan/filter/filter.h"

namespace freqstore {
namespace {

using Comparison = Predicate::Comparison;
using Kind = Predicate::Kind;

std::string_view ComparatorOf(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual:
      return " = ";
    case Comparison::kNotEqual:
      return " != ";
    case Comparison::kLess:
      return " < ";
    case Comparison::kLessOrEqual:
      return " <= ";
    case Comparison::kGreater:
      return " > ";
    case Comparison::kGreaterOrEqual:
      return " >= ";
    case Comparison::kContains:
      break;
  }
  return ":";
}

/// How tight what joins the parts binds: OR more than AND.
int Tightness(Kind kind) {
  switch (kind) {
    case Kind::kAnd:
      return 0;
    case Kind::kOr:
      return 1;
    case Kind::kNot:
      return 2;
    case Kind::kCompare:
    case Kind::kHas:
      break;
  }
  return 3;
}

std::string NameOf(uint32_t attribute, const AttributeSchema& schema) {
  const AttributeDef* const def = schema.Find(attribute);
  assert(def != nullptr);
  return def->name;
}

std::string Format(const Predicate& predicate, const AttributeSchema& schema);

std::string FormatParts(const Predicate& predicate, std::string_view joint, const AttributeSchema& schema) {
  std::string text;
  for (const Predicate& part : predicate.parts()) {
    if (!text.empty()) text += joint;
    const bool is_looser = Tightness(part.kind()) < Tightness(predicate.kind());
    text += is_looser ? fmt::format("({})", Format(part, schema)) : Format(part, schema);
  }
  return text;
}

std::string Format(const Predicate& predicate, const AttributeSchema& schema) {
  switch (predicate.kind()) {
    case Kind::kAnd:
      return FormatParts(predicate, " AND ", schema);
    case Kind::kOr:
      return FormatParts(predicate, " OR ", schema);
    case Kind::kNot:
      return fmt::format("NOT {}", FormatParts(predicate, "", schema));
    case Kind::kHas:
      return fmt::format("{}:*", NameOf(predicate.attribute(), schema));
    case Kind::kCompare:
      break;
  }
  return fmt::format("{}{}{}", NameOf(predicate.attribute(), schema), ComparatorOf(predicate.comparison()),
                     FormatValue(predicate.value()));
}

}  // namespace

std::string FormatPredicate(const Predicate& predicate, const AttributeSchema& schema) {
  // No filter says "none", but one that every image fails does.
  if (predicate.is_none()) return "NOT image_id:*";
  return Format(predicate, schema);
}

}  // namespace freqstore

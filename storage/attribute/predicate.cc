#include "storage/attribute/predicate.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "storage/attribute/comparison.h"

namespace freqstore {

struct Predicate::Node {
  Kind kind = Kind::kAnd;
  uint32_t attribute = 0;
  Comparison comparison = Comparison::kEqual;
  AttributeValue value = {};
  std::vector<Predicate> parts = {};

  friend bool operator==(const Node&, const Node&) = default;
};

namespace {

using Kind = Predicate::Kind;
using Match = Predicate::Match;

/// The parts of a tree of `kind`, without those that are of that kind themselves, but with theirs.
std::vector<Predicate> Flatten(Kind kind, std::vector<Predicate> parts) {
  std::vector<Predicate> flat;
  for (Predicate& part : parts) {
    if (part.kind() == kind) {
      std::copy(part.parts().begin(), part.parts().end(), std::back_inserter(flat));
    } else {
      flat.push_back(std::move(part));
    }
  }
  return flat;
}

void CollectAttributes(const Predicate& predicate, std::vector<uint32_t>& attributes) {
  if (predicate.kind() == Kind::kCompare || predicate.kind() == Kind::kHas)
    attributes.push_back(predicate.attribute());
  for (const Predicate& part : predicate.parts()) CollectAttributes(part, attributes);
}

Match Negate(Match match) {
  if (match == Match::kSome) return match;
  return match == Match::kNone ? Match::kAll : Match::kNone;
}

/// Of a comparison where some rows have a value.
Match CheckBounds(const Predicate& predicate, const ZoneMap& zone, bool is_each_present) {
  if (predicate.comparison() == Predicate::Comparison::kContains) return Match::kSome;
  const AttributeValue& value = predicate.value();
  const bool may_be_above = !IsPresent(zone.max) || value < zone.max;
  const bool may_be_equal = !(value < zone.min) && (!IsPresent(zone.max) || !(zone.max < value));
  uint8_t possible = 0;
  if (zone.min < value) possible |= kBelow;
  if (may_be_equal) possible |= kSame;
  if (may_be_above) possible |= kAbove;
  const uint8_t wanted = OrderingsOf(predicate.comparison());
  if ((possible & wanted) == 0) return Match::kNone;
  return is_each_present && (possible & ~wanted) == 0 ? Match::kAll : Match::kSome;
}

Match CheckZone(const Predicate& predicate, size_t rows, const ZoneMap* zone) {
  if (zone == nullptr) return Match::kSome;
  if (zone->present == 0) return Match::kNone;
  const bool is_each_present = zone->present == rows;
  if (predicate.kind() == Kind::kCompare) return CheckBounds(predicate, *zone, is_each_present);
  return is_each_present ? Match::kAll : Match::kSome;
}

}  // namespace

Predicate Predicate::All() {
  return And({});
}

Predicate Predicate::Compare(uint32_t attribute, Comparison comparison, AttributeValue value) {
  assert(IsPresent(value));
  assert(comparison != Comparison::kContains || TypeOf(value) == AttributeType::kString);
  return Predicate(std::make_shared<Node>(Node{
      .kind = Kind::kCompare, .attribute = attribute, .comparison = comparison, .value = std::move(value)}));
}

Predicate Predicate::Has(uint32_t attribute) {
  return Predicate(std::make_shared<Node>(Node{.kind = Kind::kHas, .attribute = attribute}));
}

Predicate Predicate::And(std::vector<Predicate> parts) {
  parts = Flatten(Kind::kAnd, std::move(parts));
  if (parts.size() == 1) return parts.front();
  for (const Predicate& part : parts)
    if (part.is_none()) return part;
  return Predicate(std::make_shared<Node>(Node{.kind = Kind::kAnd, .parts = std::move(parts)}));
}

Predicate Predicate::Or(std::vector<Predicate> parts) {
  parts = Flatten(Kind::kOr, std::move(parts));
  if (parts.size() == 1) return parts.front();
  for (const Predicate& part : parts)
    if (part.is_all()) return part;
  return Predicate(std::make_shared<Node>(Node{.kind = Kind::kOr, .parts = std::move(parts)}));
}

Predicate Predicate::Not(Predicate part) {
  if (part.kind() == Kind::kNot) return part.parts().front();
  if (part.is_all()) return Or({});
  if (part.is_none()) return All();
  return Predicate(std::make_shared<Node>(Node{.kind = Kind::kNot, .parts = {std::move(part)}}));
}

Predicate::Kind Predicate::kind() const {
  return node_->kind;
}

uint32_t Predicate::attribute() const {
  return node_->attribute;
}

Predicate::Comparison Predicate::comparison() const {
  return node_->comparison;
}

const AttributeValue& Predicate::value() const {
  return node_->value;
}

std::span<const Predicate> Predicate::parts() const {
  return node_->parts;
}

bool operator==(const Predicate& a, const Predicate& b) {
  return a.node_ == b.node_ || *a.node_ == *b.node_;
}

std::vector<uint32_t> Predicate::attributes() const {
  std::vector<uint32_t> attributes;
  CollectAttributes(*this, attributes);
  std::sort(attributes.begin(), attributes.end());
  attributes.erase(std::unique(attributes.begin(), attributes.end()), attributes.end());
  return attributes;
}

Predicate::Match Predicate::Check(size_t rows,
                                  absl::FunctionRef<const ZoneMap*(uint32_t attribute)> zone_of) const {
  if (kind() == Kind::kCompare || kind() == Kind::kHas) return CheckZone(*this, rows, zone_of(attribute()));
  if (kind() == Kind::kNot) return Negate(parts().front().Check(rows, zone_of));
  const Match neutral = kind() == Kind::kAnd ? Match::kAll : Match::kNone;
  Match whole = neutral;
  for (const Predicate& part : parts()) {
    const Match match = part.Check(rows, zone_of);
    if (match == Negate(neutral)) return match;
    if (match == Match::kSome) whole = Match::kSome;
  }
  return whole;
}

}  // namespace freqstore

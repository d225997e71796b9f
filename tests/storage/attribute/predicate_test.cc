#include "storage/attribute/predicate.h"

#include <map>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"

namespace freqstore {
namespace {

using Comparison = Predicate::Comparison;
using Kind = Predicate::Kind;
using Match = Predicate::Match;
using Rows = std::vector<uint32_t>;

constexpr uint32_t kLabel = 256;
constexpr uint32_t kAge = 257;
constexpr uint32_t kGood = 258;
constexpr uint32_t kUnknown = 259;
constexpr size_t kRows = 4;

AttributeValue Text(const char* text) {
  return std::string(text);
}

Predicate AgeIs(int64_t age) {
  return Predicate::Compare(kAge, Comparison::kEqual, age);
}

/// Four rows: label dog, cat, absent, "dodo"; age 1, absent, 3, 3; good false, true, true, absent.
class Table {
 public:
  Table() {
    Put(kLabel, AttributeType::kString, {Text("dog"), Text("cat"), {}, Text("dodo")});
    Put(kAge, AttributeType::kInteger, {int64_t{1}, {}, int64_t{3}, int64_t{3}});
    Put(kGood, AttributeType::kBool, {false, true, true, {}});
  }

  Rows Select(const Predicate& predicate) {
    asked_.clear();
    const auto rows = predicate.Select(
        kRows, [&](uint32_t attribute) -> absl::StatusOr<std::shared_ptr<const AttributeColumn>> {
          asked_.push_back(attribute);
          const auto column = columns_.find(attribute);
          return column == columns_.end() ? nullptr : column->second;
        });
    REQUIRE(rows.ok());
    CHECK(rows->rows() == kRows);
    return rows->ToOrdinals();
  }

  Rows Select(uint32_t attribute, Comparison comparison, AttributeValue value) {
    return Select(Predicate::Compare(attribute, comparison, std::move(value)));
  }

  /// The attributes whose columns the last Select took.
  const Rows& asked() const { return asked_; }

 private:
  void Put(uint32_t attribute, AttributeType type, const std::vector<AttributeValue>& values) {
    columns_[attribute] = std::make_shared<const AttributeColumn>(type, values);
  }

  std::map<uint32_t, std::shared_ptr<const AttributeColumn>> columns_;
  Rows asked_;
};

TEST_CASE("Comparisons select rows that have a value") {
  Table table;
  CHECK(table.Select(kAge, Comparison::kEqual, int64_t{3}) == Rows{2, 3});
  CHECK(table.Select(kAge, Comparison::kNotEqual, int64_t{3}) == Rows{0});
  CHECK(table.Select(kAge, Comparison::kLess, int64_t{3}) == Rows{0});
  CHECK(table.Select(kAge, Comparison::kLessOrEqual, int64_t{3}) == Rows{0, 2, 3});
  CHECK(table.Select(kAge, Comparison::kGreater, int64_t{1}) == Rows{2, 3});
  CHECK(table.Select(kAge, Comparison::kGreaterOrEqual, int64_t{1}) == Rows{0, 2, 3});
  CHECK(table.Select(kLabel, Comparison::kContains, Text("do")) == Rows{0, 3});
  CHECK(table.Select(kLabel, Comparison::kContains, Text("")) == Rows{0, 1, 3});
  CHECK(table.Select(kLabel, Comparison::kLess, Text("dog")) == Rows{1, 3});
  CHECK(table.Select(kGood, Comparison::kLess, true) == Rows{0});
  CHECK(table.Select(Predicate::Has(kLabel)) == Rows{0, 1, 3});
}

TEST_CASE("A column that is not there has no values") {
  Table table;
  CHECK(table.Select(kUnknown, Comparison::kNotEqual, int64_t{1}).empty());
  CHECK(table.Select(Predicate::Has(kUnknown)).empty());
  CHECK(table.Select(Predicate::Not(Predicate::Has(kUnknown))) == Rows{0, 1, 2, 3});
}

TEST_CASE("Conditions combine") {
  Table table;
  const Predicate is_old = Predicate::Compare(kAge, Comparison::kGreater, int64_t{2});
  const Predicate is_dog = Predicate::Compare(kLabel, Comparison::kContains, Text("do"));
  CHECK(table.Select(Predicate::All()) == Rows{0, 1, 2, 3});
  CHECK(table.asked().empty());
  CHECK(table.Select(Predicate::And({is_old, is_dog})) == Rows{3});
  CHECK(table.Select(Predicate::Or({is_old, is_dog})) == Rows{0, 2, 3});
  CHECK(table.Select(Predicate::Not(is_old)) == Rows{0, 1});
  CHECK(table.Select(Predicate::Not(Predicate::And({is_old, is_dog}))) == Rows{0, 1, 2});
}

TEST_CASE("A column is taken once, and only if its rows matter") {
  Table table;
  const Predicate never = AgeIs(7);
  const Predicate always = Predicate::Or({AgeIs(1), Predicate::Not(AgeIs(1))});
  table.Select(Predicate::And({AgeIs(1), AgeIs(3), Predicate::Has(kGood)}));
  CHECK(table.asked() == Rows{kAge});
  table.Select(Predicate::And({never, Predicate::Has(kLabel)}));
  CHECK(table.asked() == Rows{kAge});
  table.Select(Predicate::Or({always, Predicate::Has(kLabel)}));
  CHECK(table.asked() == Rows{kAge});
  table.Select(Predicate::Or({Predicate::Has(kUnknown), Predicate::Not(Predicate::Has(kUnknown))}));
  CHECK(table.asked() == Rows{kUnknown});
}

TEST_CASE("Trees are flat and say nothing twice") {
  const Predicate a = AgeIs(1);
  const Predicate b = AgeIs(2);
  const Predicate c = AgeIs(3);
  CHECK(Predicate::And({Predicate::And({a, b}), c}) == Predicate::And({a, b, c}));
  CHECK(Predicate::Or({a, Predicate::Or({b, c})}) == Predicate::Or({a, b, c}));
  CHECK(Predicate::And({a}) == a);
  CHECK(Predicate::And({Predicate::All(), a, Predicate::All()}) == a);
  CHECK(Predicate::And({a, Predicate::Or({})}).is_none());
  CHECK(Predicate::Or({a, Predicate::All()}).is_all());
  CHECK(Predicate::Or({Predicate::Or({}), a}) == a);
  CHECK(Predicate::Not(Predicate::Not(a)) == a);
  CHECK(Predicate::Not(Predicate::All()).is_none());
  CHECK(Predicate::Not(Predicate::Or({})).is_all());
  CHECK(Predicate::All().is_all());
  CHECK_FALSE(a.is_all());
  CHECK_FALSE(a == b);
  CHECK_FALSE(a == Predicate::Has(kAge));
  CHECK_FALSE(Predicate::And({a, b}) == Predicate::Or({a, b}));
}

TEST_CASE("A tree can be looked at") {
  const Predicate tree = Predicate::Not(Predicate::Or({AgeIs(1), Predicate::Has(kLabel)}));
  REQUIRE(tree.kind() == Kind::kNot);
  const Predicate either = tree.parts().front();
  REQUIRE(either.kind() == Kind::kOr);
  REQUIRE(either.parts().size() == 2);
  CHECK(either.parts()[0].kind() == Kind::kCompare);
  CHECK(either.parts()[0].comparison() == Comparison::kEqual);
  CHECK(either.parts()[0].value() == AttributeValue(int64_t{1}));
  CHECK(either.parts()[1].kind() == Kind::kHas);
  CHECK(either.parts()[1].attribute() == kLabel);
  CHECK(tree.attributes() == Rows{kLabel, kAge});
  CHECK(Predicate::And({AgeIs(1), AgeIs(2)}).attributes() == Rows{kAge});
  CHECK(Predicate::All().attributes().empty());
}

TEST_CASE("Errors of columns come through") {
  const auto failed =
      AgeIs(1).Select(kRows, [](uint32_t) -> absl::StatusOr<std::shared_ptr<const AttributeColumn>> {
        return MakeError(absl::StatusCode::kDataLoss, "CHECKSUM_MISMATCH", "damaged");
      });
  CHECK(ReasonOf(failed.status()) == "CHECKSUM_MISMATCH");
}

TEST_CASE("A column of other rows or another type is damage") {
  const auto select = [](const std::vector<AttributeValue>& values, AttributeType type) {
    return ReasonOf(AgeIs(1)
                        .Select(kRows,
                                [&](uint32_t) -> absl::StatusOr<std::shared_ptr<const AttributeColumn>> {
                                  return std::make_shared<const AttributeColumn>(type, values);
                                })
                        .status());
  };
  CHECK(select(std::vector<AttributeValue>(kRows), AttributeType::kInteger) == "OK");
  CHECK(select(std::vector<AttributeValue>(kRows + 1), AttributeType::kInteger) == "CORRUPT_ATTRIBUTES");
  CHECK(select(std::vector<AttributeValue>(kRows, true), AttributeType::kBool) == "CORRUPT_ATTRIBUTES");
}

/// What four rows with these bounds make of a comparison with 5.
Match CheckAge(const ZoneMap& zone, Comparison comparison) {
  return Predicate::Compare(kAge, comparison, int64_t{5}).Check(kRows, [&](uint32_t) { return &zone; });
}

TEST_CASE("Bounds decide where they can") {
  const auto zone = [](uint32_t present, int64_t min, int64_t max) {
    return ZoneMap{.present = present, .min = min, .max = max};
  };
  // In the order of Comparison: = != < <= > >=.
  const std::vector<std::pair<ZoneMap, std::string>> cases = {
      {zone(4, 1, 4), "NAAANN"}, {zone(3, 1, 4), "NSSSNN"}, {zone(4, 1, 5), "SSSANS"},
      {zone(4, 5, 5), "ANNANA"}, {zone(3, 5, 5), "SNNSNS"}, {zone(4, 5, 9), "SSNSSA"},
      {zone(4, 6, 9), "NANNAA"}, {zone(4, 1, 9), "SSSSSS"}, {ZoneMap{}, "NNNNNN"},
  };
  for (const auto& [bounds, expected] : cases) {
    CAPTURE(FormatValue(bounds.min), FormatValue(bounds.max), bounds.present);
    std::string found;
    for (int comparison = 0; comparison < 6; ++comparison)
      found += "NSA"[static_cast<int>(CheckAge(bounds, static_cast<Comparison>(comparison)))];
    CHECK(found == expected);
  }
}

TEST_CASE("Where bounds are unknown or half known, some rows may match") {
  const Predicate is_zebra = Predicate::Compare(kLabel, Comparison::kEqual, Text("zebra"));
  CHECK(is_zebra.Check(kRows, [](uint32_t) { return nullptr; }) == Match::kSome);
  const ZoneMap no_max{.present = 4, .min = Text("y"), .max = {}};
  CHECK(is_zebra.Check(kRows, [&](uint32_t) { return &no_max; }) == Match::kSome);
  const Predicate is_above = Predicate::Compare(kLabel, Comparison::kGreater, Text("x"));
  CHECK(is_above.Check(kRows, [&](uint32_t) { return &no_max; }) == Match::kAll);
  const Predicate is_below = Predicate::Compare(kLabel, Comparison::kLess, Text("x"));
  CHECK(is_below.Check(kRows, [&](uint32_t) { return &no_max; }) == Match::kNone);
  const Predicate has_x = Predicate::Compare(kLabel, Comparison::kContains, Text("x"));
  CHECK(has_x.Check(kRows, [&](uint32_t) { return &no_max; }) == Match::kSome);
}

TEST_CASE("What parts say makes what the whole says") {
  // Attributes 0, 1, 2 stand for parts that no, some and all rows have.
  const ZoneMap zones[] = {
      {}, {.present = 2, .min = true, .max = true}, {.present = kRows, .min = true, .max = true}};
  const auto check = [&](const Predicate& predicate) {
    return predicate.Check(kRows, [&](uint32_t attribute) { return &zones[attribute]; });
  };
  for (uint32_t a = 0; a < 3; ++a) {
    CHECK(check(Predicate::Has(a)) == static_cast<Match>(a));
    CHECK(check(Predicate::Not(Predicate::Has(a))) == static_cast<Match>(2 - a));
    for (uint32_t b = 0; b < 3; ++b) {
      CHECK(check(Predicate::And({Predicate::Has(a), Predicate::Has(b)})) ==
            static_cast<Match>(std::min(a, b)));
      CHECK(check(Predicate::Or({Predicate::Has(a), Predicate::Has(b)})) ==
            static_cast<Match>(std::max(a, b)));
    }
  }
  CHECK(check(Predicate::All()) == Match::kAll);
  CHECK(check(Predicate::Or({})) == Match::kNone);
}

}  // namespace
}  // namespace freqstore

// Check and Select against an evaluation row by row.
#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/attribute/predicate.h"
#include "tests/storage/attribute/random_values.h"

namespace freqstore {
namespace {

using Comparison = Predicate::Comparison;
using Kind = Predicate::Kind;
using testutil::RandomValues;

/// A value a row, of each type: the attribute's number is that of its type.
using Table = std::array<std::vector<AttributeValue>, 6>;

Table MakeTable(RandomValues& random, size_t rows) {
  Table table;
  for (const AttributeType type : testutil::kTypes) {
    const size_t absent_chances = std::array{0u, 0u, 1u, 2u, 8u}[random.Number(5)];
    table[static_cast<size_t>(type)] = random.Column(type, rows, absent_chances);
  }
  return table;
}

Predicate MakeLeaf(RandomValues& random, const Table& table) {
  const AttributeType type = testutil::kTypes[random.Number(5)];
  const auto attribute = static_cast<uint32_t>(type);
  if (random.OneIn(6)) return Predicate::Has(attribute);
  const auto& column = table[attribute];
  AttributeValue value = random.Value(type);
  if (random.OneIn(2) && !column.empty() && IsPresent(column[0])) value = column[0];
  const size_t comparisons = type == AttributeType::kString ? 7 : 6;
  return Predicate::Compare(attribute, static_cast<Comparison>(random.Number(comparisons)), std::move(value));
}

Predicate MakeTree(RandomValues& random, const Table& table, int depth) {
  const size_t kind = depth == 0 ? 0 : random.Number(4);
  if (kind == 0) return MakeLeaf(random, table);
  if (kind == 1) return Predicate::Not(MakeTree(random, table, depth - 1));
  std::vector<Predicate> parts;
  for (size_t left = random.Number(4); left > 0; --left) parts.push_back(MakeTree(random, table, depth - 1));
  return kind == 2 ? Predicate::And(parts) : Predicate::Or(parts);
}

template <typename T>
bool Holds(const T& row, Comparison comparison, const T& value) {
  switch (comparison) {
    case Comparison::kEqual:
      return row == value;
    case Comparison::kNotEqual:
      return row != value;
    case Comparison::kLess:
      return row < value;
    case Comparison::kLessOrEqual:
      return row <= value;
    case Comparison::kGreater:
      return row > value;
    case Comparison::kGreaterOrEqual:
      return row >= value;
    case Comparison::kContains:
      break;
  }
  if constexpr (std::is_same_v<T, std::string>) return row.find(value) != std::string::npos;
  return false;
}

/// The meaning of a predicate, as plainly as can be.
bool IsTrue(const Predicate& predicate, const Table& table, size_t row) {
  switch (predicate.kind()) {
    case Kind::kAnd:
      for (const Predicate& part : predicate.parts())
        if (!IsTrue(part, table, row)) return false;
      return true;
    case Kind::kOr:
      for (const Predicate& part : predicate.parts())
        if (IsTrue(part, table, row)) return true;
      return false;
    case Kind::kNot:
      return !IsTrue(predicate.parts().front(), table, row);
    case Kind::kHas:
      return IsPresent(table[predicate.attribute()][row]);
    case Kind::kCompare:
      break;
  }
  const AttributeValue& value = table[predicate.attribute()][row];
  return std::visit(
      [&](const auto& present) {
        using T = std::decay_t<decltype(present)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return false;
        } else {
          return Holds(present, predicate.comparison(), std::get<T>(predicate.value()));
        }
      },
      value);
}

TEST_CASE("Check and Select mean what a predicate says row by row") {
  RandomValues random(4);
  size_t decided = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const size_t rows = std::array{0u, 1u, 2u, 7u, 64u, 65u, 130u}[random.Number(7)];
    const Table table = MakeTable(random, rows);
    std::array<std::shared_ptr<const AttributeColumn>, 6> columns;
    std::array<ZoneMap, 6> zones;
    for (const AttributeType type : testutil::kTypes) {
      const auto i = static_cast<size_t>(type);
      columns[i] = std::make_shared<const AttributeColumn>(type, table[i]);
      zones[i] = columns[i]->zone_map();
      if (zones[i].present == 0) columns[i] = nullptr;
    }
    const bool is_one_unknown = random.OneIn(3);

    for (int tree = 0; tree < 10; ++tree) {
      const Predicate predicate = MakeTree(random, table, static_cast<int>(random.Number(5)));
      std::set<uint32_t> asked;
      const auto selected = predicate.Select(
          rows, [&](uint32_t attribute) -> absl::StatusOr<std::shared_ptr<const AttributeColumn>> {
            REQUIRE(asked.insert(attribute).second);
            return columns[attribute];
          });
      REQUIRE(selected.ok());
      for (size_t row = 0; row < rows; ++row)
        REQUIRE(selected->Contains(row) == IsTrue(predicate, table, row));
      const std::vector<uint32_t> attributes = predicate.attributes();
      for (const uint32_t attribute : asked)
        REQUIRE(std::find(attributes.begin(), attributes.end(), attribute) != attributes.end());

      const Predicate::Match match = predicate.Check(rows, [&](uint32_t attribute) -> const ZoneMap* {
        return is_one_unknown && attribute == 2 ? nullptr : &zones[attribute];
      });
      if (match == Predicate::Match::kNone) REQUIRE(selected->empty());
      if (match == Predicate::Match::kAll) REQUIRE(selected->full());
      if (rows > 1 && match != Predicate::Match::kSome) ++decided;
    }
  }
  CHECK(decided > 5000);
}

}  // namespace
}  // namespace freqstore

// Which rows a query is about: a condition over attributes, already checked against a schema.
//
// Truth has two values. A comparison of an absent value is false, `!=` too; what NOT makes of that is true.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "storage/attribute/attribute_column.h"
#include "storage/attribute/attribute_value.h"
#include "storage/attribute/zone_map.h"
#include "storage/base/row_set.h"

namespace freqstore {

/// A tree of conditions. Immutable, thread-safe; copies share their parts.
class Predicate {
 public:
  enum class Kind : uint8_t { kAnd, kOr, kNot, kCompare, kHas };

  enum class Comparison : uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kContains,  ///< of strings: has the value as a part
  };

  /// Every row: kAnd of no parts.
  static Predicate All();
  /// `value` is present, of the attribute's type, and a string with kContains.
  static Predicate Compare(uint32_t attribute, Comparison comparison, AttributeValue value);
  /// Rows that have a value.
  static Predicate Has(uint32_t attribute);
  // Parts of the same kind become parts of the whole, one part stands for itself, and what is decided by a
  // part that is all rows or none is decided here: kAnd and kOr have no parts or two and more.
  static Predicate And(std::vector<Predicate> parts);
  static Predicate Or(std::vector<Predicate> parts);
  static Predicate Not(Predicate part);

  Kind kind() const;
  uint32_t attribute() const;                ///< of kCompare and kHas
  Comparison comparison() const;             ///< of kCompare
  const AttributeValue& value() const;       ///< of kCompare
  std::span<const Predicate> parts() const;  ///< of kAnd, kOr and kNot

  bool is_all() const { return kind() == Kind::kAnd && parts().empty(); }
  bool is_none() const { return kind() == Kind::kOr && parts().empty(); }

  /// The same tree; two trees may say the same.
  friend bool operator==(const Predicate& a, const Predicate& b);

  /// The attributes that it reads, ascending, each once.
  std::vector<uint32_t> attributes() const;

  /// What a segment's zone maps say of its rows: none, some or all may match; kSome is always right.
  /// `zone_of` gives null where nothing is known of an attribute.
  enum class Match : uint8_t { kNone, kSome, kAll };
  Match Check(size_t rows, absl::FunctionRef<const ZoneMap*(uint32_t attribute)> zone_of) const;

  /// The rows that match. `column_of` gives the column of an attribute, of `rows` rows; null if no row has a
  /// value. An attribute is asked for at most once, and only if it is needed.
  /// DATA_LOSS (CORRUPT_ATTRIBUTES) if a column has other rows or values of another type.
  using ColumnOf =
      absl::FunctionRef<absl::StatusOr<std::shared_ptr<const AttributeColumn>>(uint32_t attribute)>;
  absl::StatusOr<RowSet> Select(size_t rows, ColumnOf column_of) const;

 private:
  struct Node;
  explicit Predicate(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

}  // namespace freqstore

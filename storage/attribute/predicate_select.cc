// Predicate::Select.
#include <algorithm>
#include <map>
#include <utility>

#include "fmt/format.h"
#include "storage/attribute/comparison.h"
#include "storage/attribute/predicate.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using Kind = Predicate::Kind;
using ColumnPointer = std::shared_ptr<const AttributeColumn>;

/// The rows of one segment that match a predicate and its parts.
class Selector {
 public:
  Selector(size_t rows, Predicate::ColumnOf column_of) : rows_(rows), column_of_(column_of) {}

  absl::StatusOr<RowSet> Select(const Predicate& predicate) {
    switch (predicate.kind()) {
      case Kind::kAnd:
        return SelectEach(predicate.parts());
      case Kind::kOr:
        return SelectAny(predicate.parts());
      case Kind::kNot:
        break;
      case Kind::kCompare:
      case Kind::kHas:
        return SelectByValue(predicate);
    }
    ASSIGN_OR_RETURN(const RowSet part, Select(predicate.parts().front()));
    return part.Complement();
  }

 private:
  absl::StatusOr<RowSet> SelectEach(std::span<const Predicate> parts) {
    RowSet selected(rows_, true);
    for (auto part = parts.begin(); part != parts.end() && !selected.empty(); ++part) {
      ASSIGN_OR_RETURN(const RowSet rows, Select(*part));
      selected &= rows;
    }
    return selected;
  }

  absl::StatusOr<RowSet> SelectAny(std::span<const Predicate> parts) {
    RowSet selected(rows_);
    for (auto part = parts.begin(); part != parts.end() && !selected.full(); ++part) {
      ASSIGN_OR_RETURN(const RowSet rows, Select(*part));
      selected |= rows;
    }
    return selected;
  }

  /// Of a kCompare or kHas: decided once a value of the dictionary, then looked up a row.
  absl::StatusOr<RowSet> SelectByValue(const Predicate& predicate) {
    RowSet selected(rows_);
    ASSIGN_OR_RETURN(const AttributeColumn* const column, Column(predicate.attribute()));
    if (column == nullptr) return selected;
    const bool is_comparison = predicate.kind() == Kind::kCompare;
    if (is_comparison && column->type() != TypeOf(predicate.value())) {
      return Corrupt(fmt::format("the column of attribute {} is of type {} instead of {}",
                                 predicate.attribute(), TypeName(column->type()),
                                 TypeName(TypeOf(predicate.value()))));
    }
    std::vector<uint8_t> is_code_selected = {0};
    for (const AttributeValue& value : column->dictionary()) {
      is_code_selected.push_back(!is_comparison ||
                                 Compares(value, predicate.comparison(), predicate.value()));
    }
    const std::span<const uint32_t> codes = column->codes();
    for (size_t row = 0; row < rows_; ++row)
      if (is_code_selected[codes[row]] != 0) selected.Insert(row);
    return selected;
  }

  absl::StatusOr<const AttributeColumn*> Column(uint32_t attribute) {
    if (const auto known = columns_.find(attribute); known != columns_.end()) return known->second.get();
    ASSIGN_OR_RETURN(ColumnPointer column, column_of_(attribute));
    if (column != nullptr && column->rows() != rows_) {
      return Corrupt(fmt::format("the column of attribute {} has {} rows instead of {}", attribute,
                                 column->rows(), rows_));
    }
    return columns_.emplace(attribute, std::move(column)).first->second.get();
  }

  static absl::Status Corrupt(std::string_view message) {
    return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ATTRIBUTES", message);
  }

  size_t rows_;
  Predicate::ColumnOf column_of_;
  std::map<uint32_t, ColumnPointer> columns_;
};

}  // namespace

absl::StatusOr<RowSet> Predicate::Select(size_t rows, ColumnOf column_of) const {
  return Selector(rows, column_of).Select(*this);
}

}  // namespace freqstore

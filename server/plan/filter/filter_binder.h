// Filters understood: names become attributes, values what the attributes' types make of them.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "server/plan/filter/filter_syntax.h"
#include "storage/attribute/attribute_schema.h"
#include "storage/attribute/predicate.h"

namespace freqstore {

/// `tree` is that of `filter`. INVALID_ARGUMENT (UNKNOWN_ATTRIBUTE, FILTER_TYPE).
absl::StatusOr<Predicate> BindFilter(const FilterNode& tree, std::string_view filter,
                                     const AttributeSchema& schema);

}  // namespace freqstore

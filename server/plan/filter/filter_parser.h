// Filters as trees: the grammar of AIP-160, without what Freqstore has no use for.
//
//     filter      = [expression]
//     expression  = factor {["AND"] factor}
//     factor      = term {"OR" term}
//     term        = ["NOT" | "-"] ("(" expression ")" | restriction)
//     restriction = word comparator (word | string)
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "server/plan/filter/filter_syntax.h"

namespace freqstore {

/// Of a filter that is not blank; the tree refers to its text. INVALID_ARGUMENT (INVALID_FILTER,
/// FILTER_TOO_COMPLEX).
absl::StatusOr<FilterNode> ParseFilterTree(std::string_view filter);

}  // namespace freqstore

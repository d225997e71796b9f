// The filter language: which images a query is about, in text. It is that of AIP-160 (google.aip.dev/160).
//
//     label = dog AND (width >= 512 OR quality > 90) AND NOT camera:*
//
// A restriction is an attribute, a comparator and a value. The comparators are = != < <= > >= and `:`, which
// asks of a string whether it has the value as a part, and with `*` for the value of any attribute whether it
// has one at all. No comparison is true of an image that does not have the attribute, != neither.
// Restrictions are joined by AND, which may be left out, and OR, which binds tighter than AND: `a AND b OR c`
// is `a AND (b OR c)`. NOT or `-` turns the restriction or the parentheses after it around.
//
// A value is a word, or a string between " or '. In a string, \" \' \\ \n \t \r and \xNN stand for one byte.
// A word ends before whitespace and any of ( ) " ' , = < > !. What a value may be follows from the attribute:
//
//     string      a word or a string. There are no wildcards: * is to stand in a string, for itself
//     integer     a number. < <= > >= take any, 1.5 or 1e30 too, and mean it exactly; = and != take integers
//     double      a number, rounded to the nearest double; inf or -inf
//     bool        true or false; false < true
//     timestamp   a word or a string: a moment of RFC 3339, or a date, which is midnight UTC
//
// Functions, and fields of attributes (`a.b`), do not exist.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "storage/attribute/attribute_schema.h"
#include "storage/attribute/predicate.h"

namespace freqstore {

inline constexpr size_t kFilterBytesMax = 16 << 10;
inline constexpr int kFilterDepthMax = 50;  ///< parentheses within parentheses
inline constexpr size_t kFilterRestrictionsMax = 1000;

/// Every row if the filter is empty or blank. INVALID_ARGUMENT with the reason INVALID_FILTER (not of the
/// language), UNKNOWN_ATTRIBUTE, FILTER_TYPE (a value or comparator that the attribute's type does not take),
/// FILTER_TOO_LONG or FILTER_TOO_COMPLEX. Messages show the place in the filter. Thread-safe.
absl::StatusOr<Predicate> ParseFilter(std::string_view filter, const AttributeSchema& schema);

/// The filter of a predicate over attributes of `schema`, in one spelling and with no parentheses that it
/// does not need. ParseFilter makes an equal predicate of it, if the predicate came of a filter.
std::string FormatPredicate(const Predicate& predicate, const AttributeSchema& schema);

}  // namespace freqstore

// What is wrong with a filter, and where.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace freqstore {

/// INVALID_ARGUMENT: `what` is wrong at byte `offset` of `filter`. The message counts columns in characters,
/// from 1, and shows the filter, or the part of a long one, with a caret under the place:
///
///     column 9: expected a value
///       width = AND label = dog
///               ^
absl::Status FilterError(std::string_view reason, std::string_view filter, size_t offset,
                         std::string_view what);

/// A piece of a filter for use in a message: its first 40 characters, and dots if there are more.
std::string Shorten(std::string_view text);

}  // namespace freqstore

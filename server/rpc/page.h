// Pages of list methods (https://google.aip.dev/158). A token is the key at which the next page starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace freqstore {

/// The number of rows of a page: 100 for 0, at most 1000. INVALID_ARGUMENT (INVALID_PAGE_SIZE) below 0.
absl::StatusOr<size_t> PageSize(int32_t requested);

/// Tokens of lists without keys: how many elements came before. INVALID_ARGUMENT (INVALID_PAGE_TOKEN).
absl::StatusOr<size_t> ParseOffsetToken(const std::string& token);
std::string OffsetToken(size_t offset);

/// Fills one page from `items`, ascending by key: `key(item)` its key, `add(item)` puts it into the response.
/// Returns the next page's token, empty at the end.
template <typename Items, typename Key, typename Add>
std::string FillPage(const Items& items, const std::string& token, size_t page_size, Key key, Add add) {
  size_t taken = 0;
  for (const auto& item : items) {
    if (key(item) < token) continue;
    if (taken == page_size) return key(item);
    add(item);
    ++taken;
  }
  return {};
}

}  // namespace freqstore

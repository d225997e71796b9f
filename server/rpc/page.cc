#include "server/rpc/page.h"

#include <algorithm>
#include <charconv>

#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<size_t> PageSize(int32_t requested) {
  constexpr int32_t kDefault = 100;
  constexpr int32_t kMax = 1000;
  if (requested < 0) {
    return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_PAGE_SIZE",
                     "page_size must not be negative");
  }
  return static_cast<size_t>(requested == 0 ? kDefault : std::min(requested, kMax));
}

absl::StatusOr<size_t> ParseOffsetToken(const std::string& token) {
  size_t offset = 0;
  if (token.empty()) return offset;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), offset);
  if (error == std::errc() && end == token.data() + token.size()) return offset;
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_PAGE_TOKEN",
                   "page_token is not one that this list gave");
}

std::string OffsetToken(size_t offset) {
  return std::to_string(offset);
}

}  // namespace freqstore

#include "server/rpc/page.h"

#include <algorithm>

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

}  // namespace freqstore

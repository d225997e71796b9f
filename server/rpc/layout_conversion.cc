#include "server/rpc/layout_conversion.h"

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {

v1::Layout ToProto(Layout layout) {
  return static_cast<v1::Layout>(layout);
}

absl::StatusOr<Layout> LayoutFromProto(v1::Layout layout) {
  switch (layout) {
    case v1::LAYOUT_BALANCED:
      return Layout::kBalanced;
    case v1::LAYOUT_COMPACT:
      return Layout::kCompact;
    case v1::LAYOUT_FAST:
      return Layout::kFast;
    default:
      return MakeError(
          absl::StatusCode::kInvalidArgument, "UNKNOWN_LAYOUT",
          fmt::format("{} is not a layout: use balanced, compact or fast", static_cast<int>(layout)));
  }
}

}  // namespace freqstore

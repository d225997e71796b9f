#include "server/rpc/layout_conversion.h"

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"

namespace freqstore {
namespace {

TEST_CASE("layouts keep their numbers on the wire and in the store") {
  for (const Layout layout : {Layout::kBalanced, Layout::kCompact, Layout::kFast}) {
    REQUIRE(static_cast<int>(ToProto(layout)) == static_cast<int>(layout));
    REQUIRE(*LayoutFromProto(ToProto(layout)) == layout);
  }
  REQUIRE(v1::Layout_Name(ToProto(Layout::kCompact)) == "LAYOUT_COMPACT");
}

TEST_CASE("a layout that is not known is refused") {
  REQUIRE(ReasonOf(LayoutFromProto(v1::LAYOUT_UNSPECIFIED).status()) == "UNKNOWN_LAYOUT");
  REQUIRE(ReasonOf(LayoutFromProto(static_cast<v1::Layout>(77)).status()) == "UNKNOWN_LAYOUT");
}

}  // namespace
}  // namespace freqstore

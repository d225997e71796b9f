#include "storage/codec/layout.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {

TEST_CASE("Layouts have names", "[layout]") {
  for (const auto& [layout, name] : {std::pair<Layout, std::string_view>{Layout::kBalanced, "balanced"},
                                     {Layout::kCompact, "compact"},
                                     {Layout::kFast, "fast"}}) {
    CHECK(LayoutName(layout) == name);
    CHECK(LayoutFromName(name) == layout);
  }
  for (std::string_view name : {"", "Fast", "fast ", "unknown", "r32"}) CHECK(!LayoutFromName(name));
  CHECK(kDefaultLayout == Layout::kBalanced);
}

TEST_CASE("A layout gives each column its codec", "[layout]") {
  for (uint8_t c = 0; c < kComponentsMax; ++c) {
    int low = 0;
    for (uint16_t z = 0; z < kFrequencies; ++z) {
      CAPTURE(c, z);
      CHECK(CodecOf(Layout::kFast, {c, z}) == CodecId::kBp32);
      CHECK(CodecOf(Layout::kCompact, {c, z}) == CodecId::kR32);
      const bool is_low = HorizontalFrequency(z) < 4 && VerticalFrequency(z) < 4;
      low += is_low ? 1 : 0;
      CHECK(CodecOf(Layout::kBalanced, {c, z}) == (is_low ? CodecId::kBp32 : CodecId::kR32));
    }
    CHECK(low == 16);
  }
}

TEST_CASE("Codecs are found by id", "[layout]") {
  for (CodecId id : {CodecId::kRaw, CodecId::kBp32, CodecId::kR32}) {
    for (SimdLevel level : SupportedSimdLevels()) {
      const auto codec = FindCodec(id, level);
      REQUIRE(codec.ok());
      CHECK((*codec)->id() == id);
    }
  }
  CHECK((*FindCodec(CodecId::kR32))->name() == "r32");
  CHECK(FindCodec(static_cast<CodecId>(4)).status().code() == absl::StatusCode::kDataLoss);
}

}  // namespace freqstore

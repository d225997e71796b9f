#include "storage/attribute/zone_map.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

std::string Text(const AttributeValue& value) {
  return std::get<std::string>(value);
}

TEST_CASE("Short strings bound themselves") {
  const std::string longest(kZoneStringBytes, 'z');
  const ZoneMap zone = MakeZoneMap(3, std::string("cat"), longest);
  CHECK(zone == ZoneMap{.present = 3, .min = std::string("cat"), .max = longest});
}

TEST_CASE("Long strings are bounded by short ones") {
  const std::string small = std::string(kZoneStringBytes, 'a') + "b";
  const std::string large = std::string(kZoneStringBytes, 'y') + "z";
  const ZoneMap zone = MakeZoneMap(2, small, large);
  CHECK(Text(zone.min) == std::string(kZoneStringBytes, 'a'));
  CHECK(Text(zone.max) == std::string(kZoneStringBytes - 1, 'y') + "z");
  CHECK(Text(zone.min) < small);
  CHECK(large < Text(zone.max));
}

TEST_CASE("The upper bound steps over bytes that are as high as can be") {
  const std::string large = "a" + std::string(kZoneStringBytes, '\xff');
  CHECK(Text(MakeZoneMap(1, large, large).max) == "b");
  const std::string utf8 = std::string(kZoneStringBytes - 1, 'a') + "\x7f\x7f";
  CHECK(Text(MakeZoneMap(1, utf8, utf8).max) == std::string(kZoneStringBytes - 1, 'a') + "\x80");
  const std::string highest(kZoneStringBytes + 1, '\xff');
  const ZoneMap unbounded = MakeZoneMap(1, highest, highest);
  CHECK(IsPresent(unbounded.min));
  CHECK_FALSE(IsPresent(unbounded.max));
}

TEST_CASE("Other values are their own bounds, and none has none") {
  CHECK(MakeZoneMap(2, int64_t{-5}, int64_t{7}) ==
        ZoneMap{.present = 2, .min = int64_t{-5}, .max = int64_t{7}});
  CHECK(MakeZoneMap(0, {}, {}) == ZoneMap{});
}

}  // namespace
}  // namespace freqstore

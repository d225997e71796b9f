#include "storage/attribute/zone_map.h"

#include <cassert>

namespace freqstore {
namespace {

/// The shortest string above all that start with `prefix`; absent if there is none.
AttributeValue Successor(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xff') prefix.pop_back();
  if (prefix.empty()) return {};
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

}  // namespace

ZoneMap MakeZoneMap(uint32_t present, AttributeValue min, AttributeValue max) {
  assert(min.index() == max.index() && IsPresent(min) == (present > 0));
  ZoneMap zone{.present = present, .min = std::move(min), .max = std::move(max)};
  if (auto* smallest = std::get_if<std::string>(&zone.min); smallest && smallest->size() > kZoneStringBytes)
    smallest->resize(kZoneStringBytes);
  if (auto* largest = std::get_if<std::string>(&zone.max); largest && largest->size() > kZoneStringBytes)
    zone.max = Successor(largest->substr(0, kZoneStringBytes));
  return zone;
}

}  // namespace freqstore

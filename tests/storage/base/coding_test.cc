#include "storage/base/coding.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("big-endian keys sort like their numbers") {
  std::string previous;
  for (const uint64_t value :
       {uint64_t{0}, uint64_t{1}, uint64_t{255}, uint64_t{256}, uint64_t{1} << 40, ~uint64_t{0}}) {
    std::string key;
    AppendBigEndian(key, value);
    REQUIRE(key.size() == 8);
    REQUIRE((previous.empty() || previous < key));
    REQUIRE(ByteReader(AsBytes(key)).ReadBigEndian<uint64_t>() == value);
    previous = key;
  }
}

TEST_CASE("a reader gives nothing, and keeps its place, where bytes do not suffice") {
  std::string bytes;
  AppendLittleEndian(bytes, uint16_t{0x1234});
  bytes += "x";
  ByteReader reader(AsBytes(bytes));
  REQUIRE_FALSE(reader.ReadLittleEndian<uint32_t>());
  REQUIRE(reader.ReadLittleEndian<uint16_t>() == uint16_t{0x1234});
  REQUIRE_FALSE(reader.ReadBytes(2));
  REQUIRE(AsString(*reader.ReadBytes(1)) == "x");
  REQUIRE(reader.remaining() == 0);
}

}  // namespace
}  // namespace freqstore

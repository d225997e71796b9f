#include "storage/segment/chunk_key.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {

TEST_CASE("A chunk key is big-endian: dataset, segment, component, frequency", "[chunk_key]") {
  const ChunkKey key{0x01020304, 0x05060708090a0b0c, {0x0d, 0x0e0f}};
  const std::string bytes = EncodeChunkKey(key);
  CHECK(bytes == "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f");
  CHECK(bytes.starts_with(ChunkKeyPrefix(key.dataset, key.segment)));
  CHECK(ChunkKeyPrefix(key.dataset, key.segment).size() == 12);

  const auto decoded = DecodeChunkKey(AsBytes(bytes));
  REQUIRE(decoded.has_value());
  CHECK(decoded->dataset == key.dataset);
  CHECK(decoded->segment == key.segment);
  CHECK(decoded->column == key.column);
}

TEST_CASE("Keys sort by segment, component and frequency", "[chunk_key]") {
  CHECK(EncodeChunkKey({1, 255, {2, 63}}) < EncodeChunkKey({1, 256, {0, 0}}));
  CHECK(EncodeChunkKey({1, 1, {0, 63}}) < EncodeChunkKey({1, 1, {1, 0}}));
  CHECK(EncodeChunkKey({1, 1, {0, 255}}) < EncodeChunkKey({1, 1, {0, 256}}));
}

TEST_CASE("Keys of another length are refused", "[chunk_key]") {
  const std::string bytes = EncodeChunkKey({1, 2, {0, 3}});
  for (size_t length = 0; length < bytes.size(); ++length) {
    CHECK_FALSE(DecodeChunkKey(AsBytes(bytes).first(length)).has_value());
  }
  CHECK_FALSE(DecodeChunkKey(AsBytes(bytes + "x")).has_value());
}

}  // namespace freqstore

#include "storage/segment/chunk_format.h"

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/hash.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

const ChunkHeader kHeader{
    .column = {2, 0x0103}, .codec = CodecId::kRaw, .images_per_substream = 2, .images = 3, .values = 4};

std::string ExampleChunk() {
  const uint32_t offsets[] = {0, 6};
  return BuildChunk(kHeader, offsets, "abcdefgh");
}

/// The chunk with other bytes at `position` and a checksum that agrees with them.
std::string WithBytes(std::string chunk, size_t position, std::string_view bytes) {
  chunk.replace(position, bytes.size(), bytes);
  chunk.resize(chunk.size() - 8);
  AppendLittleEndian(chunk, Checksum64(AsBytes(chunk)));
  return chunk;
}

std::string ReasonOfParse(const std::string& chunk) {
  return ReasonOf(ParseChunk(AsBytes(chunk)).status());
}

}  // namespace

TEST_CASE("A chunk has the bytes that FORMAT.md says", "[chunk]") {
  std::string expected("FQCH\x01\x00\x01\x02\x03\x01\x00\x00", 12);
  expected += std::string("\x02\x00\x00\x00\x03\x00\x00\x00\x08\x00\x00\x00", 12);
  expected += std::string("\x04\x00\x00\x00\x00\x00\x00\x00", 8);
  expected += std::string("\x00\x00\x00\x00\x06\x00\x00\x00", 8);
  expected += "abcdefgh";
  AppendLittleEndian(expected, Checksum64(AsBytes(expected)));
  CHECK(ExampleChunk() == expected);
}

TEST_CASE("A chunk parses into what it was built from", "[chunk]") {
  const std::string chunk = ExampleChunk();
  const auto parsed = ParseChunk(AsBytes(chunk));
  REQUIRE(parsed.ok());
  CHECK(parsed->header.column == kHeader.column);
  CHECK(parsed->header.codec == CodecId::kRaw);
  CHECK(parsed->header.images_per_substream == 2);
  CHECK(parsed->header.images == 3);
  CHECK(parsed->header.values == 4);
  CHECK(AsString(parsed->payload) == "abcdefgh");
  CHECK(parsed->substream_offsets == std::vector<uint32_t>{0, 6, 8});
}

TEST_CASE("A chunk without images has no substreams", "[chunk]") {
  const std::string chunk = BuildChunk(ChunkHeader{}, {}, "");
  CHECK(chunk.size() == 40);
  const auto parsed = ParseChunk(AsBytes(chunk));
  REQUIRE(parsed.ok());
  CHECK(parsed->substream_offsets == std::vector<uint32_t>{0});
}

TEST_CASE("Every flipped or missing byte of a chunk is noticed", "[chunk]") {
  const std::string chunk = ExampleChunk();
  for (size_t i = 0; i < chunk.size(); ++i) {
    CAPTURE(i);
    std::string damaged = chunk;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    CHECK(ParseChunk(AsBytes(damaged)).status().code() == absl::StatusCode::kDataLoss);
    const std::string cut = chunk.substr(0, i);
    CHECK(ParseChunk(AsBytes(cut)).status().code() == absl::StatusCode::kDataLoss);
  }
  CHECK(ReasonOfParse(chunk + '\0') == "CHECKSUM_MISMATCH");
}

TEST_CASE("What is wrong with a chunk is named", "[chunk]") {
  const std::string chunk = ExampleChunk();
  CHECK(ReasonOfParse("") == "CORRUPT_CHUNK");
  CHECK(ReasonOfParse(WithBytes(chunk, 0, "X")) == "CORRUPT_CHUNK");
  CHECK(ReasonOfParse(WithBytes(chunk, 4, "\x02")) == "UNKNOWN_VERSION");
  CHECK(ReasonOfParse(chunk.substr(0, 20)) == "CORRUPT_CHUNK");
  std::string flipped = chunk;
  flipped[45] = '!';
  CHECK(ReasonOfParse(flipped) == "CHECKSUM_MISMATCH");
}

TEST_CASE("A checksum does not make nonsense valid", "[chunk]") {
  const std::string chunk = ExampleChunk();
  CHECK(ReasonOfParse(WithBytes(chunk, 10, "\x01")) == "CORRUPT_CHUNK");  // reserved
  CHECK(ReasonOfParse(WithBytes(chunk, 12, std::string_view("\0", 1))) ==
        "CORRUPT_CHUNK");                                                             // images a substream
  CHECK(ReasonOfParse(WithBytes(chunk, 12, "\x01")) == "CORRUPT_CHUNK");              // three substreams
  CHECK(ReasonOfParse(WithBytes(chunk, 16, "\xff\xff\xff\xff")) == "CORRUPT_CHUNK");  // images
  CHECK(ReasonOfParse(WithBytes(chunk, 20, "\x07")) == "CORRUPT_CHUNK");              // payload bytes
  CHECK(ReasonOfParse(WithBytes(chunk, 36, "\x09")) == "CORRUPT_CHUNK");  // offset beyond the payload
}

}  // namespace freqstore

#include "storage/segment/chunk_format.h"

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "tests/storage/segment/chunk_surgery.h"

namespace freqstore {
namespace {

using testutil::WithFrontBytes;

const ChunkHeader kHeader{
    .column = {2, 0x0103}, .codec = CodecId::kRaw, .images_per_substream = 2, .images = 3, .values = 4};

std::string ExampleChunk() {
  return BuildChunk(kHeader, {.head = "abc", .substreams = "defghi", .substream_ends = {4, 6}});
}

std::string ReasonOfParse(const std::string& chunk) {
  return ReasonOf(ParsedChunk::Parse(AsBytes(chunk)).status());
}

/// Of the front, or else of the first substream that is not sound.
std::string ReasonOfReading(const std::string& chunk) {
  const auto parsed = ParsedChunk::Parse(AsBytes(chunk));
  if (!parsed.ok()) return ReasonOf(parsed.status());
  for (size_t s = 0; s < parsed->header().substreams(); ++s) {
    if (!parsed->Substream(s).ok()) return ReasonOf(parsed->Substream(s).status());
  }
  return "OK";
}

}  // namespace

TEST_CASE("A chunk has the bytes that FORMAT.md says", "[chunk]") {
  std::string expected("FQCH\x02\x00\x01\x02\x03\x01\x00\x00", 12);
  expected += std::string("\x02\x00\x00\x00\x03\x00\x00\x00\x03\x00\x00\x00", 12);
  expected += std::string("\x04\x00\x00\x00\x00\x00\x00\x00", 8);
  AppendLittleEndian(expected, uint32_t{4});
  AppendLittleEndian(expected, static_cast<uint32_t>(Checksum64(AsBytes("defg"))));
  AppendLittleEndian(expected, uint32_t{6});
  AppendLittleEndian(expected, static_cast<uint32_t>(Checksum64(AsBytes("hi"))));
  expected += "abc";
  AppendLittleEndian(expected, Checksum64(AsBytes(expected)));
  expected += "defghi";
  CHECK(ExampleChunk() == expected);
}

TEST_CASE("A chunk parses into what it was built from", "[chunk]") {
  const std::string chunk = ExampleChunk();
  const auto parsed = ParsedChunk::Parse(AsBytes(chunk));
  REQUIRE(parsed.ok());
  CHECK(parsed->header().column == kHeader.column);
  CHECK(parsed->header().codec == CodecId::kRaw);
  CHECK(parsed->header().images_per_substream == 2);
  CHECK(parsed->header().images == 3);
  CHECK(parsed->header().values == 4);
  CHECK(parsed->header().substreams() == 2);
  CHECK(AsString(parsed->head()) == "abc");
  CHECK(AsString(*parsed->Substream(0)) == "defg");
  CHECK(AsString(*parsed->Substream(1)) == "hi");
}

TEST_CASE("A chunk without images has no substreams", "[chunk]") {
  const std::string chunk = BuildChunk(ChunkHeader{}, {});
  CHECK(chunk.size() == 40);
  const auto parsed = ParsedChunk::Parse(AsBytes(chunk));
  REQUIRE(parsed.ok());
  CHECK(parsed->header().substreams() == 0);
}

TEST_CASE("Every flipped or missing byte of a chunk is noticed", "[chunk]") {
  const std::string chunk = ExampleChunk();
  for (size_t i = 0; i < chunk.size(); ++i) {
    CAPTURE(i);
    std::string damaged = chunk;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    CHECK(ReasonOfReading(damaged) != "OK");
    CHECK(ReasonOfReading(chunk.substr(0, i)) != "OK");
  }
  CHECK(ReasonOfParse(chunk + '\0') == "CORRUPT_CHUNK");
}

TEST_CASE("Damage of a substream is its own", "[chunk]") {
  std::string chunk = ExampleChunk();
  chunk.back() = '!';
  const auto parsed = ParsedChunk::Parse(AsBytes(chunk));
  REQUIRE(parsed.ok());
  CHECK(AsString(*parsed->Substream(0)) == "defg");
  CHECK(ReasonOf(parsed->Substream(1).status()) == "CHECKSUM_MISMATCH");
  CHECK(parsed->Substream(1).status().code() == absl::StatusCode::kDataLoss);
}

TEST_CASE("What is wrong with a chunk is named", "[chunk]") {
  const std::string chunk = ExampleChunk();
  CHECK(ReasonOfParse("") == "CORRUPT_CHUNK");
  CHECK(ReasonOfParse(WithFrontBytes(chunk, 0, "X")) == "CORRUPT_CHUNK");
  CHECK(ReasonOfParse(WithFrontBytes(chunk, 4, "\x01")) == "UNKNOWN_VERSION");
  CHECK(ReasonOfParse(chunk.substr(0, 20)) == "CORRUPT_CHUNK");
  std::string flipped = chunk;
  flipped[33] = '!';
  CHECK(ReasonOfParse(flipped) == "CHECKSUM_MISMATCH");
}

TEST_CASE("A checksum does not make nonsense valid", "[chunk]") {
  const std::string chunk = ExampleChunk();
  CHECK(ReasonOfParse(WithFrontBytes(chunk, 10, "\x01")) == "CORRUPT_CHUNK");  // reserved
  CHECK(ReasonOfParse(WithFrontBytes(chunk, 12, std::string_view("\0", 1))) ==
        "CORRUPT_CHUNK");                                                      // images a substream
  CHECK(ReasonOfParse(WithFrontBytes(chunk, 32, "\x07")) == "CORRUPT_CHUNK");  // ends do not ascend
  CHECK(ReasonOfParse(WithFrontBytes(chunk, 40, "\x05")) == "CORRUPT_CHUNK");  // bytes behind the last
  CHECK(ReasonOfParse(WithFrontBytes(chunk, 40, "\x07")) == "CORRUPT_CHUNK");  // an end beyond the chunk
  // As many substreams, or as long a head, as there is no room for.
  std::string changed = chunk;
  changed.replace(16, 4, "\xff\xff\xff\xff");
  CHECK(ReasonOfParse(changed) == "CORRUPT_CHUNK");
  changed = chunk;
  changed.replace(20, 4, "\xff\xff\xff\xff");
  CHECK(ReasonOfParse(changed) == "CORRUPT_CHUNK");
}

}  // namespace freqstore

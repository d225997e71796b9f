#include "storage/codec/raw_codec.h"

#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/codec/column_codec.h"

namespace freqstore {

TEST_CASE("raw is int16, little-endian", "[raw]") {
  const RawCodec codec;
  const std::vector<int16_t> first = {1, -2, 0x1234};
  const std::vector<int16_t> second = {-32768};
  const ImageValues images[] = {first, {}, second};
  const BlockGrid grids[] = {{3, 1}, {0, 0}, {1, 1}};
  const SubstreamShape shape{.frequency = 0, .grids = grids};
  CHECK(shape.values() == 4);

  std::string bytes;
  codec.Encode(shape, images, bytes);
  CHECK(bytes == std::string("\x01\x00\xfe\xff\x34\x12\x00\x80", 8));

  std::vector<uint32_t> offsets(4);
  REQUIRE(codec.LocateRuns(shape, AsBytes(bytes), offsets).ok());
  CHECK(offsets == std::vector<uint32_t>{0, 6, 6, 8});
  std::vector<int16_t> decoded(3);
  REQUIRE(codec.DecodeRun(0, grids[0], AsBytes(bytes).first(6), decoded).ok());
  CHECK(decoded == first);

  CHECK(ReasonOf(codec.LocateRuns(shape, AsBytes(bytes).first(7), offsets)) == "CORRUPT_CHUNK");
  CHECK(ReasonOf(codec.LocateRuns(shape, AsBytes(bytes + '\0'), offsets)) == "CORRUPT_CHUNK");
  CHECK(ReasonOf(codec.DecodeRun(0, grids[0], AsBytes(bytes), decoded)) == "CORRUPT_CHUNK");
}

TEST_CASE("Codecs are found by id", "[codec]") {
  CHECK((*FindCodec(CodecId::kRaw))->name() == "raw");
  CHECK((*FindCodec(CodecId::kBp32))->name() == "bp32");
  CHECK((*FindCodec(CodecId::kBp32))->id() == CodecId::kBp32);
  const absl::Status unknown = FindCodec(static_cast<CodecId>(77)).status();
  CHECK(ReasonOf(unknown) == "UNKNOWN_CODEC");
  CHECK(unknown.code() == absl::StatusCode::kDataLoss);
}

}  // namespace freqstore

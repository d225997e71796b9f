#include "storage/codec/raw_codec.h"

#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/codec/column_codec.h"

namespace freqstore {

TEST_CASE("raw is int16, little-endian", "[raw]") {
  const RawCodec codec;
  const std::vector<int16_t> values = {1, -2, 0x1234, -32768};
  const BlockGrid grid{2, 2};
  std::string run = "kept";
  CHECK(!codec.EncodeRun(0, grid, values, run));
  CHECK(run == std::string("kept\x01\x00\xfe\xff\x34\x12\x00\x80", 12));

  const Bytes bytes = AsBytes(run).subspan(4);
  CHECK(codec.BytesMin(4) == bytes.size());
  std::vector<int16_t> decoded(4);
  REQUIRE(codec.DecodeRun(0, grid, bytes, decoded).ok());
  CHECK(decoded == values);
  CHECK(ReasonOf(codec.DecodeRun(0, grid, bytes.first(7), decoded)) == "CORRUPT_CHUNK");
  CHECK(ReasonOf(codec.DecodeRun(0, grid, AsBytes(run), decoded)) == "CORRUPT_CHUNK");
  std::vector<int8_t> narrow(4);
  CHECK(ReasonOf(codec.DecodeNarrowRun(bytes, narrow)) == "CORRUPT_CHUNK");
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

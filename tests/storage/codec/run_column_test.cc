#include "storage/codec/run_column.h"

#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "storage/base/status.h"
#include "storage/codec/bp32_codec.h"
#include "storage/codec/raw_codec.h"
#include "tests/storage/codec/test_values.h"

namespace freqstore {
namespace {

const std::vector<BlockGrid> kGrids = {{5, 7}, {1, 1}, {0, 0}, {64, 3}, {9, 9}};

struct Sample {
  std::vector<std::vector<int16_t>> values;
  std::vector<bool> narrow;
  std::string substream;
};

Sample MakeSample(const RunCodec& codec, int frequency) {
  std::mt19937 random(5);
  Sample sample;
  std::vector<std::string> runs;
  for (size_t i = 0; i < kGrids.size(); ++i) {
    sample.values.push_back(i % 2 == 0 ? testutil::MixedValues(kGrids[i].blocks(), random)
                                       : testutil::ValuesOfBits(kGrids[i].blocks(), 7, random));
    sample.narrow.push_back(codec.EncodeRun(frequency, kGrids[i], sample.values[i], runs.emplace_back()));
  }
  std::vector<RunView> views;
  for (size_t i = 0; i < runs.size(); ++i) views.push_back({AsBytes(runs[i]), sample.narrow[i]});
  AppendRunSubstream(views, sample.substream);
  return sample;
}

/// Decodes the images of a substream that starts at `first_image` of its segment, last to first.
void CheckDecodes(const ColumnDecoder& decoder, int frequency, size_t first_image, const Sample& sample) {
  ColumnCursor cursor;
  REQUIRE(decoder.StartSubstream(AsBytes(sample.substream), first_image, kGrids.size(), cursor).ok());
  for (size_t i = kGrids.size(); i-- > 0;) {
    CAPTURE(i);
    const size_t image = first_image + i;
    REQUIRE(decoder.IsNarrow(image, cursor) == sample.narrow[i]);
    const FrequencySet own(uint64_t{1} << frequency);
    CoefficientPlanes planes;
    planes.Reset(kGrids[i], own, sample.narrow[i] ? own : FrequencySet());
    DecodeTarget target{.image = image, .planes = &planes, .cursor = &cursor, .status = {}};
    decoder.Decode({&target, 1});
    CHECK(target.status.ok());
    CHECK(planes.Values(frequency) == sample.values[i]);
  }
  CHECK(decoder.FinishSubstream(cursor).ok());
}

}  // namespace

TEST_CASE("The images of a substream decode in any order", "[runs]") {
  const CodecId id = GENERATE(CodecId::kRaw, CodecId::kBp32);
  const int frequency = GENERATE(0, 5);
  const RawCodec raw;
  const Bp32Codec bp32(SimdLevel::kScalar);
  const Sample sample = MakeSample(id == CodecId::kRaw ? static_cast<const RunCodec&>(raw) : bp32, frequency);
  std::vector<BlockGrid> grids = {{3, 3}, {2, 2}};
  grids.insert(grids.end(), kGrids.begin(), kGrids.end());
  for (SimdLevel level : SupportedSimdLevels()) {
    const ColumnCodec* const codec = *FindCodec(id, level);
    const auto decoder =
        codec->Open({.id = {0, static_cast<uint16_t>(frequency)}, .grids = grids, .head = {}});
    REQUIRE(decoder.ok());
    CHECK(!(*decoder)->sequential());
    CHECK((*decoder)->contexts() == ColumnSet());
    CheckDecodes(**decoder, frequency, 2, sample);
  }
}

TEST_CASE("Lengths come first, with a bit that says whether a run is narrow", "[runs]") {
  const std::string long_run(100, 'x');
  std::string out = "kept";
  AppendRunSubstream(std::vector<RunView>{{AsBytes("abc"), true}, {{}, false}, {AsBytes(long_run), false}},
                     out);
  CHECK(out == "kept" + std::string("\x07\x00\xc8\x01", 4) + "abc" + long_run);
}

TEST_CASE("A substream must be exactly its runs", "[runs]") {
  const Sample sample = MakeSample(Bp32Codec(BestSimdLevel()), 5);
  const auto decoder = (*FindCodec(CodecId::kBp32))->Open({.id = {0, 5}, .grids = kGrids, .head = {}});
  ColumnCursor cursor;
  const auto reason_of = [&](const std::string& substream) {
    return ReasonOf((*decoder)->StartSubstream(AsBytes(substream), 0, kGrids.size(), cursor));
  };
  CHECK(reason_of(sample.substream) == "OK");
  for (size_t length = 0; length < sample.substream.size(); ++length)
    CHECK(reason_of(sample.substream.substr(0, length)) == "CORRUPT_CHUNK");
  CHECK(reason_of(sample.substream + '\0') == "CORRUPT_CHUNK");
  // A length without end, and one that says more than there is.
  CHECK(reason_of(std::string(40, '\xff')) == "CORRUPT_CHUNK");
  CHECK(reason_of("\xff\xff\xff\xff\x0f" + sample.substream) == "CORRUPT_CHUNK");
}

TEST_CASE("A run too short for its image is refused before memory is taken", "[runs]") {
  const std::vector<BlockGrid> grids = {{8192, 8192}};
  for (CodecId id : {CodecId::kRaw, CodecId::kBp32}) {
    const auto decoder = (*FindCodec(id))->Open({.id = {0, 1}, .grids = grids, .head = {}});
    ColumnCursor cursor;
    std::string substream;
    AppendRunSubstream(std::vector<RunView>{{AsBytes("ab"), false}}, substream);
    CHECK(ReasonOf((*decoder)->StartSubstream(AsBytes(substream), 0, 1, cursor)) == "CORRUPT_CHUNK");
  }
}

TEST_CASE("Runs have no head", "[runs]") {
  const auto decoder =
      (*FindCodec(CodecId::kBp32))->Open({.id = {0, 1}, .grids = kGrids, .head = AsBytes("x")});
  CHECK(ReasonOf(decoder.status()) == "CORRUPT_CHUNK");
}

}  // namespace freqstore

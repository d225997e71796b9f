// r32 from a head and a substream to values, and back.
#include "storage/codec/r32_codec.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/codec/r32_encoder.h"
#include "storage/codec/r32_token.h"
#include "tests/storage/codec/guarded_buffer.h"
#include "tests/storage/codec/r32_random_model.h"
#include "tests/storage/codec/r32_workbench.h"
#include "tests/storage/codec/test_values.h"

namespace freqstore {
namespace {

using testutil::ColumnValues;
using testutil::DecodeStage;
using testutil::GuardedBuffer;
using testutil::R32Workbench;

/// Decodes from memory whose end is guarded.
absl::StatusOr<ColumnValues> Decode(const R32Workbench& bench, SimdLevel level, const std::string& head,
                                    const std::string& substream, DecodeStage& stage) {
  GuardedBuffer payload(head.size() + substream.size());
  std::copy(head.begin(), head.end(), payload.data());
  std::copy(substream.begin(), substream.end(), payload.data() + head.size());
  return bench.Decode(level, {payload.data(), payload.size()}, head.size(), stage);
}

absl::StatusOr<ColumnValues> Decode(const R32Workbench& bench, SimdLevel level, const std::string& head,
                                    const std::string& substream) {
  DecodeStage stage{};
  return Decode(bench, level, head, substream, stage);
}

/// Whether the damage is found, and where it must be.
bool IsRefusedAt(DecodeStage expected, const R32Workbench& bench, SimdLevel level, const std::string& head,
                 const std::string& substream) {
  DecodeStage stage{};
  const auto values = Decode(bench, level, head, substream, stage);
  return ReasonOf(values.status()) == "CORRUPT_CHUNK" && stage == expected;
}

std::string WithState(std::string substream, size_t lane, uint32_t state) {
  std::string bytes;
  AppendLittleEndian(bytes, state);
  return substream.replace(lane * sizeof(state), sizeof(state), bytes);
}

// ------------------------------------------------------------------------------ example 3 of FORMAT.md

constexpr ColumnId kExampleColumn{0, 1};
const std::vector<int16_t> kExampleValues = {0, 2, -5};

std::string ExampleHead() {
  return {"\x05\x00\x00\x00\x01\x05\x80\x04\x00\x80\x02\x00\x80\x02", 14};
}

std::string ExampleSubstream() {
  std::string substream;
  for (uint32_t state : {131072u, 524800u, 2097923u}) AppendLittleEndian(substream, state);
  for (int lane = 3; lane < 32; ++lane) AppendLittleEndian(substream, uint32_t{65536});
  return substream;
}

R32Workbench ExampleBench() {
  return R32Workbench(kExampleColumn, {{3, 1}});
}

R32Model ExampleModel() {
  R32Model model;
  model.tokens = 5;
  const uint16_t frequencies[] = {512, 0, 256, 0, 256};
  std::copy(std::begin(frequencies), std::end(frequencies), model.tables[0]);
  return model;
}

// --------------------------------------------------------------------------------------- random columns

struct RandomColumn {
  RandomColumn(std::mt19937& random, ColumnId id, size_t tokens)
      : grids(RandomGrids(random)), model(testutil::RandomR32Model(id, tokens, random)), bench(id, grids) {
    const bool is_dc = id.frequency == 0;
    const int limit = model.tokens < kR32TokensMax ? static_cast<int>(R32Base(model.tokens)) : 32768;
    for (const BlockGrid& grid : grids) {
      std::vector<int16_t>& image = values.emplace_back(testutil::MixedValues(grid.blocks(), random));
      const bool is_sparse = random() % 2 == 0;
      for (int16_t& value : image) {
        if (is_sparse && random() % 8 != 0) value = 0;
        if (!is_dc) value = static_cast<int16_t>(value % limit);
        if (is_dc) value = static_cast<int16_t>(value / 2);  // residuals are to stay above -32768
      }
    }
  }

  static std::vector<BlockGrid> RandomGrids(std::mt19937& random) {
    std::vector<BlockGrid> grids(1 + random() % 8);
    for (BlockGrid& grid : grids)
      grid = {static_cast<uint32_t>(1 + random() % 40), static_cast<uint32_t>(1 + random() % 30)};
    if (random() % 2 == 0) grids[random() % grids.size()] = {};  // an image that lacks the component
    return grids;
  }

  std::string head() const { return SerializeR32Model(model); }

  std::vector<BlockGrid> grids;
  R32Model model;
  R32Workbench bench;
  ColumnValues values;
};

RandomColumn MakeColumn(std::mt19937& random) {
  const ColumnId id{static_cast<uint8_t>(random() % 3), static_cast<uint16_t>(random() % kFrequencies)};
  return {random, id, id.frequency == 0 ? kR32TokensMax : 2 + random() % (kR32TokensMax - 1)};
}

}  // namespace

TEST_CASE("The worked example of FORMAT.md for r32 encodes", "[r32]") {
  CHECK(SerializeR32Model(ExampleModel()) == ExampleHead());
  for (SimdLevel level : SupportedSimdLevels()) {
    CAPTURE(SimdLevelName(level));
    CHECK(ExampleBench().Encode(level, ExampleModel(), {kExampleValues}) == ExampleSubstream());
  }
}

TEST_CASE("Wide values encode as narrow ones do", "[r32]") {
  std::vector<int16_t> wide = kExampleValues;
  wide.resize(3 + CoefficientPlanes::kSlackValues);
  uint8_t counts[CoefficientPlanes::kSlackValues] = {2};
  R32Image image{.blocks = 3, .width_blocks = 3, .references = {}};
  image.wide = wide.data();
  image.counts = counts;
  const R32Model model = ExampleModel();
  for (SimdLevel level : SupportedSimdLevels()) {
    CAPTURE(SimdLevelName(level));
    R32EncodeScratch scratch;
    std::string out = "kept";
    R32Encoder(kExampleColumn, model, level).Append({&image, 1}, scratch, out);
    CHECK(out == "kept" + ExampleSubstream());
  }
}

TEST_CASE("The worked example of FORMAT.md for r32 decodes", "[r32]") {
  for (SimdLevel level : SupportedSimdLevels()) {
    CAPTURE(SimdLevelName(level));
    const auto values = Decode(ExampleBench(), level, ExampleHead(), ExampleSubstream());
    REQUIRE(values.ok());
    CHECK(*values == ColumnValues{kExampleValues});
  }
}

TEST_CASE("r32 gives the values of any column back", "[r32]") {
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    const RandomColumn column = MakeColumn(random);
    CAPTURE(round, int{column.model.tokens});
    const std::string substream = column.bench.Encode(SimdLevel::kScalar, column.model, column.values);
    for (SimdLevel level : SupportedSimdLevels()) {
      CAPTURE(SimdLevelName(level));
      CHECK(column.bench.Encode(level, column.model, column.values) == substream);
      const auto values = Decode(column.bench, level, column.head(), substream);
      REQUIRE(values.ok());
      CHECK(*values == column.values);
    }
  }
}

TEST_CASE("An empty substream is all zero", "[r32]") {
  std::mt19937 random(12);
  for (int round = 0; round < 30; ++round) {
    RandomColumn column = MakeColumn(random);
    for (auto& image : column.values) std::fill(image.begin(), image.end(), int16_t{0});
    for (SimdLevel level : SupportedSimdLevels()) {
      CAPTURE(round, SimdLevelName(level));
      CHECK(column.bench.Encode(level, column.model, column.values).empty());
      const auto values = Decode(column.bench, level, column.head(), "");
      REQUIRE(values.ok());
      CHECK(*values == column.values);
    }
  }
}

TEST_CASE("A substream is states and whole words", "[r32]") {
  const R32Workbench bench = ExampleBench();
  for (SimdLevel level : SupportedSimdLevels()) {
    CAPTURE(SimdLevelName(level));
    for (size_t length = 1; length < 128; ++length)
      CHECK(IsRefusedAt(DecodeStage::kStart, bench, level, ExampleHead(),
                        ExampleSubstream().substr(0, length)));
    for (const char* odd : {"x", "xyz"})
      CHECK(IsRefusedAt(DecodeStage::kStart, bench, level, ExampleHead(), ExampleSubstream() + odd));
  }
}

TEST_CASE("States are in range at the start and 65536 at the end", "[r32]") {
  const R32Workbench bench = ExampleBench();
  for (SimdLevel level : SupportedSimdLevels()) {
    for (size_t lane = 0; lane < kR32Lanes; ++lane) {
      CAPTURE(SimdLevelName(level), lane);
      for (uint32_t state : {0u, 1u, 65535u})
        CHECK(IsRefusedAt(DecodeStage::kStart, bench, level, ExampleHead(),
                          WithState(ExampleSubstream(), lane, state)));
      if (lane < kExampleValues.size()) continue;  // which a wrong state makes other values of
      for (uint32_t state : {65537u, 0xffffffffu})
        CHECK(IsRefusedAt(DecodeStage::kFinish, bench, level, ExampleHead(),
                          WithState(ExampleSubstream(), lane, state)));
    }
  }
}

TEST_CASE("Words are neither missing nor left over", "[r32]") {
  std::mt19937 random(13);
  for (int round = 0; round < 40; ++round) {
    const RandomColumn column = MakeColumn(random);
    const std::string substream = column.bench.Encode(SimdLevel::kScalar, column.model, column.values);
    if (substream.size() <= 128) continue;
    const size_t words = (substream.size() - 128) / 2;
    for (SimdLevel level : SupportedSimdLevels()) {
      CAPTURE(round, SimdLevelName(level));
      for (size_t left : {words - 1, words / 2, size_t{0}})
        CHECK(IsRefusedAt(DecodeStage::kDecode, column.bench, level, column.head(),
                          substream.substr(0, 128 + 2 * left)));
      CHECK(IsRefusedAt(DecodeStage::kFinish, column.bench, level, column.head(), substream + "xy"));
      CHECK(IsRefusedAt(DecodeStage::kStart, column.bench, level, column.head(), substream + 'x'));
    }
  }
}

TEST_CASE("A damaged head is refused when it is opened", "[r32]") {
  for (SimdLevel level : SupportedSimdLevels())
    CHECK(IsRefusedAt(DecodeStage::kOpen, ExampleBench(), level, ExampleHead() + 'x', ExampleSubstream()));
}

TEST_CASE("Every level reads a damaged substream alike", "[r32]") {
  std::mt19937 random(14);
  for (int round = 0; round < 300; ++round) {
    RandomColumn column = MakeColumn(random);
    std::string substream = column.bench.Encode(SimdLevel::kScalar, column.model, column.values);
    if (substream.empty()) continue;
    testutil::ThinR32Tables(column.model, random);
    const size_t damages = 1 + random() % 4;
    for (size_t i = 0; i < damages; ++i) substream[random() % substream.size()] = static_cast<char>(random());
    const auto expected = Decode(column.bench, SimdLevel::kScalar, column.head(), substream);
    CHECK((expected.ok() || ReasonOf(expected.status()) == "CORRUPT_CHUNK"));
    for (SimdLevel level : SupportedSimdLevels()) {
      CAPTURE(round, SimdLevelName(level));
      const auto values = Decode(column.bench, level, column.head(), substream);
      CHECK(values.status() == expected.status());
      if (values.ok() && expected.ok()) CHECK(*values == *expected);
    }
  }
}

}  // namespace freqstore

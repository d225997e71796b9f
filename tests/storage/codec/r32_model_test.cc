#include "storage/codec/r32_model.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "tests/storage/codec/r32_random_model.h"

namespace freqstore {
namespace {

// u = 1, v = 2: may refer to the changes of DC.
constexpr ColumnId kColumn{1, 8};

/// Every part that a head can have.
std::string RichHead() {
  return {
      "\x05\x04\x02"                          // 0: tokens, groups are marked, references
      "\x01\x64\x40\x7f"                      // 3: frequency 1 and horizontal, with weights
      "\x03\x02\x10"                          // 7: shift, contexts, threshold
      "\x05\x80\x04\x00\x80\x02\x00\x80\x02"  // 10: 512, 0, 256, 0, 256
      "\x02\x80\x06\x80\x02"                  // 19: 768, 256
      "\x0f\x03\x01\x7f"                      // 24: shift, contexts, thresholds of groups
      "\x01\x00\xff\x03\x00\x02",             // 28: occupied 1, 1023, 512
      34};
}

std::string ReasonOfParse(ColumnId column, const std::string& head) {
  const auto model = ParseR32Model(column, AsBytes(head));
  CHECK((model.ok() || model.status().code() == absl::StatusCode::kDataLoss));
  return ReasonOf(model.status());
}

ColumnId RandomColumn(std::mt19937& random) {
  return {static_cast<uint8_t>(random() % kComponentsMax), static_cast<uint16_t>(random() % kFrequencies)};
}

R32Model RandomModel(ColumnId column, std::mt19937& random) {
  const size_t least = column.frequency == 0 ? kR32NarrowTokensMax + 1 : 2;
  const size_t tokens = least + random() % (kR32TokensMax + 1 - least);
  R32Model model = testutil::RandomR32Model(column, tokens, random);
  if (random() % 2 == 0) testutil::ThinR32Tables(model, random);
  return model;
}

/// What the codec relies on.
void CheckHolds(ColumnId column, const R32Model& model) {
  CHECK((model.tokens >= 2 && model.tokens <= kR32TokensMax));
  CHECK(model.reference_count <= kR32ReferencesMax);
  CHECK((model.values.count >= 1 && model.values.count <= kR32ContextsMax));
  for (size_t context = 0; context < model.values.count; ++context) {
    uint32_t sum = 0;
    for (size_t token = 0; token < kR32TokensMax; ++token) {
      CHECK(model.tables[context][token] < kR32ProbabilityScale);
      CHECK((token < model.tokens || model.tables[context][token] == 0));
      sum += model.tables[context][token];
    }
    CHECK(sum == kR32ProbabilityScale);
  }
  for (uint32_t activity = 0; activity <= kR32ActivityMax; ++activity)
    CHECK(model.values.Of(activity) < model.values.count);
  ForEachColumn(R32ContextColumns(column, model), [&](ColumnId id) {
    CHECK(id != column);
    CHECK((id.component == column.component || id.component + 1 == column.component));
    CHECK(id.frequency <= column.frequency);
  });
}

}  // namespace

TEST_CASE("Models of r32 survive their bytes", "[r32]") {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const ColumnId column = RandomColumn(random);
    const R32Model model = RandomModel(column, random);
    CAPTURE(round, column.component, column.frequency);
    const auto parsed = ParseR32Model(column, AsBytes(SerializeR32Model(model)));
    REQUIRE(parsed.ok());
    CHECK(*parsed == model);
    CheckHolds(column, *parsed);
  }
}

TEST_CASE("A head means what FORMAT.md says", "[r32]") {
  const auto model = ParseR32Model(kColumn, AsBytes(RichHead()));
  REQUIRE(model.ok());
  CHECK(model->tokens == 5);
  CHECK(model->narrow());
  CHECK(model->origin == R32WeightOrigin::kDefault);
  REQUIRE(model->used_references().size() == 2);
  CHECK(model->references[0] == R32Reference{R32Reference::Kind::kFrequency, 1, 100});
  CHECK(model->references[1] == R32Reference{R32Reference::Kind::kHorizontal, 0, 127});
  CHECK(model->values.shift == 3);
  CHECK(model->values.Of(15) == 0);
  CHECK(model->values.Of(16) == 1);
  CHECK(model->tables[0][0] == 512);
  CHECK(model->tables[1][1] == 256);
  CHECK(model->marks_groups);
  CHECK(model->groups.Of(126) == 1);
  CHECK(model->groups.Of(127) == 2);
  CHECK(model->occupied[1] == 1023);
  CHECK(SerializeR32Model(*model) == RichHead());
  CheckHolds(kColumn, *model);

  ColumnSet contexts;
  contexts.Insert({1, 0});
  contexts.Insert({1, 1});
  CHECK(R32ContextColumns(kColumn, *model) == contexts);
}

TEST_CASE("A head is refused unless it is whole", "[r32]") {
  std::mt19937 random(2);
  for (int round = 0; round < 40; ++round) {
    const ColumnId column = RandomColumn(random);
    const std::string head = SerializeR32Model(RandomModel(column, random));
    for (size_t length = 0; length < head.size(); ++length)
      CHECK(ReasonOfParse(column, head.substr(0, length)) == "CORRUPT_CHUNK");
    CHECK(ReasonOfParse(column, head + '\0') == "CORRUPT_CHUNK");
  }
}

TEST_CASE("Every field of a head is checked", "[r32]") {
  REQUIRE(ReasonOfParse(kColumn, RichHead()) == "OK");
  const std::vector<std::pair<size_t, int>> damages = {
      {0, 0},    {0, 1},    {0, 4},     {0, 18},                         // tokens
      {1, 6},    {1, 7},    {1, 12},    {1, 0x84},                       // flags
      {2, 7},    {2, 255},                                               // references
      {3, 0},    {3, 8},    {3, 9},     {3, 63},                         // frequency: DC, itself, higher ones
      {4, 128},  {6, 128},                                               // weights
      {5, 0x41}, {5, 0x81}, {5, 0xc1},                                   // a frequency where none belongs
      {7, 16},   {8, 0},    {8, 9},     {9, 0},     {9, 128},            // contexts of values
      {10, 0},   {10, 6},   {11, 0x81}, {11, 0x7f}, {12, 0},   {12, 8},  // a table
      {13, 1},   {18, 3},   {19, 3},    {21, 7},    {24, 16},  {25, 0},
      {25, 9},   {26, 0},   {26, 127},  {27, 1},    {27, 128},  // contexts of groups
      {28, 0},   {31, 4},   {33, 4},                            // occupied: 0, 1279, 1024
  };
  for (const auto& [at, value] : damages) {
    CAPTURE(at, value);
    std::string head = RichHead();
    head[at] = static_cast<char>(value);
    CHECK(ReasonOfParse(kColumn, head) == "CORRUPT_CHUNK");
  }
}

TEST_CASE("A token cannot be certain", "[r32]") {
  CHECK(ReasonOfParse(kColumn, {"\x02\x00\x00\x00\x01\x02\x80\x08\x00", 9}) == "CORRUPT_CHUNK");  // 1024, 0
  CHECK(ReasonOfParse(kColumn, {"\x02\x00\x00\x00\x01\x02\xff\x07\x01", 9}) == "OK");             // 1023, 1
}

TEST_CASE("A frequency is written in one way", "[r32]") {
  const std::string one_byte("\x03\x00\x00\x00\x01\x03\xfa\x07\x05\x01", 10);  // 1018, 5, 1
  const std::string two_bytes("\x03\x00\x00\x00\x01\x03\xfa\x07\x85\x00\x01", 11);
  CHECK(ReasonOfParse(kColumn, one_byte) == "OK");
  CHECK(ReasonOfParse(kColumn, two_bytes) == "CORRUPT_CHUNK");
}

TEST_CASE("A column refers only to what is decoded before it", "[r32]") {
  const auto reason = [](ColumnId column, int reference) {
    std::string head("\x02\x00\x01r\x64\x00\x01\x02\xff\x07\x01", 11);
    head[3] = static_cast<char>(reference);
    return ReasonOfParse(column, head);
  };
  constexpr int kHorizontal = 0x40;
  constexpr int kVertical = 0x80;
  constexpr int kComponent = 0xc0;
  CHECK(reason({0, 2}, 1) == "OK");
  CHECK(reason({0, 1}, 1) == "CORRUPT_CHUNK");
  CHECK(reason({0, 63}, 62) == "OK");
  CHECK(reason({0, 9}, kHorizontal) == "OK");  // u + v = 3
  CHECK(reason({0, 9}, kVertical) == "OK");
  CHECK(reason({0, 10}, kHorizontal) == "CORRUPT_CHUNK");  // u + v = 4
  CHECK(reason({0, 10}, kVertical) == "CORRUPT_CHUNK");
  CHECK(reason({1, 40}, kComponent) == "OK");
  CHECK(reason({0, 40}, kComponent) == "CORRUPT_CHUNK");
}

TEST_CASE("DC is wide, and has neither references nor marks", "[r32]") {
  std::mt19937 random(3);
  const R32Model good = testutil::RandomR32Model({2, 0}, kR32TokensMax, random);
  REQUIRE(ReasonOfParse({2, 0}, SerializeR32Model(good)) == "OK");

  R32Model fewer_tokens = testutil::RandomR32Model({2, 0}, kR32NarrowTokensMax, random);
  CHECK(ReasonOfParse({2, 0}, SerializeR32Model(fewer_tokens)) == "CORRUPT_CHUNK");
  for (int kind = 0; kind < 4; ++kind) {
    R32Model refers = good;
    refers.reference_count = 1;
    refers.references[0] = {static_cast<R32Reference::Kind>(kind), 0, 1};
    CHECK(ReasonOfParse({2, 0}, SerializeR32Model(refers)) == "CORRUPT_CHUNK");
  }
  R32Model marks = good;
  marks.marks_groups = true;
  marks.occupied[0] = 1;
  CHECK(ReasonOfParse({2, 0}, SerializeR32Model(marks)) == "CORRUPT_CHUNK");
}

TEST_CASE("A damaged head is refused or is another model", "[r32]") {
  std::mt19937 random(4);
  for (int round = 0; round < 3000; ++round) {
    const ColumnId column = RandomColumn(random);
    std::string head = SerializeR32Model(RandomModel(column, random));
    for (size_t i = 0; i <= random() % 2; ++i) head[random() % head.size()] = static_cast<char>(random());
    const auto model = ParseR32Model(column, AsBytes(head));
    if (model.ok()) {
      CheckHolds(column, *model);
    } else {
      CHECK(ReasonOf(model.status()) == "CORRUPT_CHUNK");
    }
  }
}

}  // namespace freqstore

// Attributes of images: what is given at import or later is there wherever an image goes, and filters find
// it.

#include <cmath>
#include <set>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/engine/row_selection.h"
#include "tests/storage/engine/store_helper.h"

namespace freqstore {
namespace {

using testutil::StoreHelper;
using Ids = std::set<std::string>;
using enum Predicate::Comparison;

constexpr int kImagesPerSegment = 8;

ImportOptions SmallSegments() {
  ImportOptions options;
  options.segment.images = kImagesPerSegment;
  return options;
}

/// 16 images in two segments and one in the delta: "00" to "16", 40 pixels wide and 60 for the second
/// segment.
class AttributesTest {
 public:
  AttributesTest() {
    REQUIRE(engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
    for (int first : {0, 8, 16}) {
      std::vector<std::pair<std::string, std::string>> files;
      for (int i = first; i < std::min(first + 8, 17); ++i) {
        files.emplace_back(fmt::format("{:02}", i), testutil::SmallJpeg(i, first == 8 ? 60 : 40));
      }
      for (const auto& [id, reason] : store_.Import("d", files)) REQUIRE(reason == "OK");
    }
    REQUIRE(engine().Describe("d")->delta_images == 1);
    REQUIRE(engine().Describe("d")->segments == 2);
  }

  StorageEngine& engine() { return store_.engine(); }

  std::string Set(const ImageSelection& images, const NamedValues& values) {
    return ReasonOf(engine().UpdateAttributes("d", {{images, values}}).status());
  }
  static ImageSelection Named(std::vector<std::string> ids) { return ids; }

  Predicate Where(std::string_view name, Predicate::Comparison comparison, AttributeValue value) {
    return Predicate::Compare((*engine().Schema("d"))->Find(name)->id, comparison, std::move(value));
  }

  Ids Select(const Predicate& predicate) {
    const auto snapshot = *engine().Snapshot("d");
    const RowSelection selection = SelectRows(*snapshot, {}, predicate);
    skipped_ = selection.segments_skipped;
    Ids ids;
    for (const PartRows& part : selection.parts) {
      REQUIRE(part.status.ok());
      const auto rows = *snapshot->ReadRows(snapshot->parts()[part.part]);
      part.rows.ForEach([&](size_t row) { ids.insert((*rows)[row].image_id); });
    }
    return ids;
  }

  AttributeValue Get(const std::string& id, std::string_view name) {
    const auto snapshot = *engine().Snapshot("d");
    const auto position = *snapshot->Find(id);
    const auto columns = *snapshot->ReadAttributes(snapshot->parts()[position.part]);
    const auto column = columns.find(snapshot->schema().Find(name)->id);
    return column == columns.end() ? AttributeValue() : column->second->value(position.ordinal);
  }

 protected:
  StoreHelper store_{SmallSegments()};
  size_t skipped_ = 0;
};

TEST_CASE_METHOD(AttributesTest, "attributes are set in segments and in the delta, and filters find them") {
  REQUIRE(Set(Named({"01", "09", "16"}), {{"label", std::string("dog")}}) == "OK");
  REQUIRE(Set(Named({"02", "03"}), {{"label", std::string("cat")}, {"score", 0.5}}) == "OK");
  CHECK(Select(Where("label", kEqual, std::string("dog"))) == Ids{"01", "09", "16"});
  CHECK(Select(Where("label", kNotEqual, std::string("dog"))) == Ids{"02", "03"});
  CHECK(Select(Where("score", kLess, 1.0)) == Ids{"02", "03"});
  CHECK(skipped_ == 1);  // no image of the second segment has a score
  CHECK(Select(Predicate::Has((*engine().Schema("d"))->Find("label")->id)).size() == 5);

  REQUIRE(Set(Named({"01"}), {{"label", std::string("wolf")}}) == "OK");
  REQUIRE(Set(Named({"09", "16"}), {{"label", AttributeValue()}}) == "OK");
  CHECK(Select(Where("label", kEqual, std::string("dog"))) == Ids{});
  CHECK(skipped_ == 2);
  CHECK(Select(Where("label", kEqual, std::string("wolf"))) == Ids{"01"});
}

TEST_CASE_METHOD(AttributesTest, "every image has the system attributes") {
  CHECK(Select(Where("width", kGreater, int64_t{50})).size() == kImagesPerSegment);
  CHECK(skipped_ == 1);
  CHECK(Select(Where("color", kEqual, std::string("ycbcr"))).size() == 17);
  CHECK(Select(Where("image_id", kLess, std::string("02"))) == Ids{"00", "01"});
  CHECK(Select(Where("truncated", kEqual, true)).empty());
  CHECK(Select(Where("import_time", kGreater, Timestamp{1})).size() == 17);
  const auto snapshot = *engine().Snapshot("d");
  const auto rows = *snapshot->ReadRows(snapshot->parts()[0]);
  const std::string& sha256 = rows->front().sha256;
  std::string hex;
  for (const char byte : sha256) hex += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  CHECK(Select(Where("sha256", kEqual, hex)).contains(rows->front().image_id));
}

TEST_CASE_METHOD(AttributesTest, "updates by a filter see what earlier ones of the request did not") {
  REQUIRE(Set(Named({"00", "08", "16"}), {{"fold", int64_t{1}}}) == "OK");
  const Predicate first = Where("fold", kEqual, int64_t{1});
  const auto result = *engine().UpdateAttributes(
      "d",
      {{ImageFilter{first, "fold = 1"}, {{"fold", int64_t{2}}}}, {Named({"08"}), {{"fold", int64_t{3}}}}});
  CHECK(result.images == 4);
  CHECK(Select(Where("fold", kEqual, int64_t{2})) == Ids{"00", "16"});
  CHECK(Select(Where("fold", kEqual, int64_t{3})) == Ids{"08"});
}

TEST_CASE_METHOD(AttributesTest, "types are those of the dataset; what does not fit changes nothing") {
  REQUIRE(Set(Named({"00"}), {{"score", 0.25}}) == "OK");
  REQUIRE(Set(Named({"01"}), {{"score", int64_t{2}}}) == "OK");
  CHECK(Get("01", "score") == AttributeValue(2.0));
  CHECK(Set(Named({"02"}), {{"score", std::string("high")}}) == "ATTRIBUTE_TYPE");
  CHECK(Set(Named({"02"}), {{"other", 1.0}, {"score", true}}) == "ATTRIBUTE_TYPE");
  CHECK(Set(Named({"02"}), {{"score", std::nan("")}}) == "ATTRIBUTE_TYPE");
  CHECK(Set(Named({"02"}), {{"text", std::string(kAttributeBytesMax + 1, 'x')}}) == "ATTRIBUTE_TOO_LONG");
  CHECK(Set(Named({"02"}), {{"width", int64_t{1}}}) == "RESERVED_ATTRIBUTE_NAME");
  CHECK(Set(Named({"02"}), {{"no good", int64_t{1}}}) == "INVALID_ATTRIBUTE_NAME");
  CHECK(Get("02", "score") == AttributeValue());
  const auto result = *engine().UpdateAttributes("d", {{Named({"nobody", "02"}), {{"score", 1.5}}}});
  CHECK(result.images == 1);
  CHECK(result.missing == std::vector<std::string>{"nobody"});
}

TEST_CASE_METHOD(AttributesTest,
                 "attributes follow their image through flushes, rewrites, compaction and restarts") {
  for (int i = 0; i < 17; ++i) {
    REQUIRE(Set(Named({fmt::format("{:02}", i)}), {{"number", int64_t{i}}, {"odd", i % 2 == 1}}) == "OK");
  }
  const auto check = [&] {
    for (int i = 0; i < 17; ++i) CHECK(Get(fmt::format("{:02}", i), "number") == AttributeValue(int64_t{i}));
    CHECK(Select(Where("odd", kEqual, true)).size() == 8);
  };
  check();
  store_.Flush("d");
  check();
  const auto job = *engine().Rewrite("d", Layout::kCompact);
  while (engine().Describe("d")->layouts.contains(Layout::kFast)) std::this_thread::yield();
  check();
  REQUIRE(engine().DeleteImages("d", Named({"03"})).ok());
  REQUIRE(engine().Compact("d").ok());
  REQUIRE(store_.Import("d", {{"03", testutil::SmallJpeg(3)}})["03"] == "OK");
  CHECK(Get("03", "number") == AttributeValue());
  REQUIRE(Set(Named({"03"}), {{"number", int64_t{3}}, {"odd", true}}) == "OK");
  check();
  store_.Close();
  REQUIRE(store_.Open().ok());
  check();
}

TEST_CASE_METHOD(AttributesTest, "a snapshot keeps the attributes it saw") {
  REQUIRE(Set(Named({"00"}), {{"label", std::string("before")}}) == "OK");
  const auto snapshot = *engine().Snapshot("d");
  REQUIRE(Set(Named({"00"}), {{"label", std::string("after")}}) == "OK");
  const Predicate before = Where("label", kEqual, std::string("before"));
  CHECK(SelectRows(*snapshot, {}, before).count() == 1);
  CHECK(Select(before).empty());
}

TEST_CASE("files may come with their attributes") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  const auto outcomes = store.ImportFiles(
      "d", {{"a", testutil::SmallJpeg(1), {{"label", std::string("dog")}, {"n", int64_t{1}}}},
            {"b", testutil::SmallJpeg(2), {{"label", int64_t{7}}}},
            {"c", testutil::SmallJpeg(3), {{"height", int64_t{7}}}}});
  // Whichever of the first two is taken first decides the type.
  CHECK(int{outcomes.at("a") == "OK"} + int{outcomes.at("b") == "OK"} == 1);
  CHECK(outcomes.at("c") == "RESERVED_ATTRIBUTE_NAME");
}

TEST_CASE("the image that had a content first is an attribute of those that come later") {
  StoreHelper store(SmallSegments());
  StorageEngine& engine = store.engine();
  REQUIRE(engine.catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  const std::string file = testutil::SmallJpeg(1);
  REQUIRE(store.Import("d", {{"first", file}})["first"] == "OK");
  REQUIRE(store.Import("d", {{"second", file}, {"third", file}, {"other", testutil::SmallJpeg(2)}}).size() ==
          3);
  const auto duplicate_of = [&](const std::string& id) {
    const auto snapshot = *engine.Snapshot("d");
    const auto position = *snapshot->Find(id);
    return (**snapshot->ReadRows(snapshot->parts()[position.part]))[position.ordinal].duplicate_of;
  };
  const auto check = [&] {
    CHECK(duplicate_of("first").empty());
    CHECK(duplicate_of("second") == "first");
    CHECK(duplicate_of("third") == "first");
    CHECK(duplicate_of("other").empty());
  };
  check();
  store.Flush("d");
  check();
  // Once the first is gone, the next one is a first.
  REQUIRE(engine.DeleteImages("d", std::vector<std::string>{"first"})->images == 1);
  REQUIRE(store.Import("d", {{"fourth", file}})["fourth"] == "OK");
  CHECK(duplicate_of("fourth").empty());

  // Of several that come at once, one is the first.
  std::vector<StoreHelper::File> same;
  for (int i = 0; i < 20; ++i) same.push_back({fmt::format("same-{:02}", i), testutil::SmallJpeg(3)});
  store.ImportFiles("d", same);
  int firsts = 0;
  for (int i = 0; i < 20; ++i) firsts += duplicate_of(fmt::format("same-{:02}", i)).empty() ? 1 : 0;
  CHECK(firsts == 1);
}

}  // namespace
}  // namespace freqstore

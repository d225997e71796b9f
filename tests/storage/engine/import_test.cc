#include <atomic>
#include <chrono>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/engine/import_session.h"
#include "storage/jpeg/jpeg_reader.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/testutil/event.h"

namespace freqstore {
namespace {

using testutil::SmallJpeg;
using testutil::StoreHelper;
using Files = std::vector<std::pair<std::string, std::string>>;

Files ManyFiles(int count) {
  Files files;
  for (int i = 0; i < count; ++i) files.emplace_back(fmt::format("image-{:04}.jpg", i), SmallJpeg(i));
  return files;
}

ImportOptions SmallSegments() {
  ImportOptions options;
  options.segment.images = 8;
  return options;
}

void RequireStored(StoreHelper& store, const std::string& dataset, const Files& files) {
  const auto images = store.ReadAll(dataset);
  REQUIRE(images.size() == files.size());
  for (const auto& [id, file] : files) {
    const auto decoded = ReadJpeg(AsBytes(file), {});
    REQUIRE(decoded.ok());
    REQUIRE(testutil::SamePlanes(images.at(id), decoded->components));
  }
}

TEST_CASE("a bulk import fills segments and leaves a short rest in the delta; flush empties that") {
  StoreHelper store(SmallSegments());
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  const Files files = ManyFiles(17);
  for (const auto& [id, reason] : store.Import("d", files)) REQUIRE(reason == "OK");

  DatasetStats stats = *store.engine().Describe("d");
  REQUIRE(stats.images == 17);
  REQUIRE(stats.segments == 2);
  REQUIRE(stats.delta_images == 1);
  RequireStored(store, "d", files);

  const auto flushed = store.engine().Flush("d");
  REQUIRE(flushed.ok());
  REQUIRE(flushed->images == 1);
  REQUIRE(flushed->segments == 1);
  stats = *store.engine().Describe("d");
  REQUIRE(stats.images == 17);
  REQUIRE(stats.delta_images == 0);
  RequireStored(store, "d", files);
  REQUIRE(store.engine().Flush("d")->images == 0);
}

TEST_CASE("images of unlike sampling do not share a segment") {
  StoreHelper store(SmallSegments());
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  Files files = ManyFiles(6);
  testutil::JpegSpec gray;
  gray.color = testutil::JpegColor::kGrayscale;
  for (int i = 0; i < 6; ++i) files.emplace_back(fmt::format("gray-{}.jpg", i), testutil::BuildJpeg(gray));
  store.Import("d", files);
  REQUIRE(store.engine().Flush("d").ok());
  REQUIRE(store.engine().Describe("d")->segments == 2);
  RequireStored(store, "d", files);
}

TEST_CASE("one bad image is its own error, not the stream's") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  const Files files = {{"good.jpg", SmallJpeg(1)},
                       {"empty.jpg", ""},
                       {"text.txt", "hello"},
                       {"", SmallJpeg(2)},
                       {"a\nb", SmallJpeg(3)}};
  const auto outcomes = store.Import("d", files);
  REQUIRE(outcomes.at("good.jpg") == "OK");
  REQUIRE(outcomes.at("empty.jpg") == "EMPTY_FILE");
  REQUIRE(outcomes.at("text.txt") == "NOT_A_JPEG");
  REQUIRE(outcomes.at("") == "INVALID_IMAGE_ID");
  REQUIRE(outcomes.at("a\nb") == "INVALID_IMAGE_ID");
  REQUIRE(store.engine().Describe("d")->images == 1);
}

TEST_CASE("the same content again is harmless, other content under the id is refused") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  const std::string first = SmallJpeg(1);
  REQUIRE(store.Import("d", {{"a", first}}).at("a") == "OK");
  REQUIRE(store.Import("d", {{"a", first}}).at("a") == "PRESENT");
  REQUIRE(store.Import("d", {{"a", SmallJpeg(2)}}).at("a") == "IMAGE_EXISTS");
  REQUIRE(store.engine().Flush("d").ok());
  REQUIRE(store.Import("d", {{"a", first}}).at("a") == "PRESENT");
  REQUIRE(store.engine().Describe("d")->images == 1);
}

TEST_CASE("a stream that pauses gets its answers without ending") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  testutil::Event acknowledged;
  auto session = store.engine().StartImport("d", [&](const ImportOutcome& outcome) {
    REQUIRE(outcome.status.ok());
    acknowledged.Notify();
  });
  (*session)->Add({1, "a", SmallJpeg(1)});
  acknowledged.Wait();
  REQUIRE((*session)->bytes_in_flight() == 0);
  testutil::Event done;
  (*session)->Finish([&] { done.Notify(); });
  done.Wait();
}

TEST_CASE(
    "at its budget a stream writes the fullest segment to be as it is, and goes on collecting the others") {
  constexpr uint64_t kLarge = 30;
  constexpr uint64_t kSmall = 10;
  Files files;
  for (int i = 0; i < static_cast<int>(kLarge); ++i)
    files.emplace_back(fmt::format("l{}", i), SmallJpeg(i, 96, 96));
  for (int i = 0; i < static_cast<int>(kSmall); ++i) files.emplace_back(fmt::format("s{}", i), SmallJpeg(i));
  ImportOptions options;
  options.segment.images = 100;
  options.idle = std::chrono::hours(1);
  options.stream_bytes_max = 0;
  for (const auto& [id, file] : files) options.stream_bytes_max += file.size();
  StoreHelper store(options);
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  std::atomic<uint64_t> acknowledged = 0;
  testutil::Event spilled;
  auto session = store.engine().StartImport("d", [&](const ImportOutcome&) {
    if (++acknowledged == kLarge) spilled.Notify();
  });
  for (const auto& [id, file] : files) (*session)->Add({0, id, file});
  spilled.Wait();
  DatasetStats stats = *store.engine().Describe("d");
  REQUIRE(stats.images == kLarge);
  REQUIRE(stats.segments == 1);
  testutil::Event done;
  (*session)->Finish([&] { done.Notify(); });
  done.Wait();
  stats = *store.engine().Describe("d");
  REQUIRE(stats.segments == 1);
  REQUIRE(stats.delta_images == kSmall);
  RequireStored(store, "d", files);
}

TEST_CASE("images of unlike size fill segments of their own; a few join them at the end of the stream") {
  StoreHelper store(SmallSegments());
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  Files files;
  for (int i = 0; i < 8; ++i) {
    files.emplace_back(fmt::format("l{}", i), SmallJpeg(i, 96, 96));
    files.emplace_back(fmt::format("s{}", i), SmallJpeg(i));
  }
  files.emplace_back("between", SmallJpeg(8, 64, 48));
  store.Import("d", files);
  REQUIRE(store.engine().Flush("d").ok());
  const auto snapshot = *store.engine().Snapshot("d");
  REQUIRE(snapshot->parts().size() == 3);
  for (const Part& part : snapshot->parts()) {
    REQUIRE(part.segment->cluster().shorter_side_min() == part.segment->cluster().shorter_side_max());
  }
  RequireStored(store, "d", files);
}

TEST_CASE("an import into a dataset that is deleted meanwhile ends with errors and leaves nothing") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  std::string reason;
  auto session = store.engine().StartImport(
      "d", [&](const ImportOutcome& outcome) { reason = ReasonOf(outcome.status); });
  REQUIRE(store.engine().catalog().DeleteDataset("d").ok());
  (*session)->Add({1, "a", SmallJpeg(1)});
  testutil::Event done;
  (*session)->Finish([&] { done.Notify(); });
  done.Wait();
  REQUIRE(reason == "DATASET_NOT_FOUND");
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  REQUIRE(store.engine().Describe("d")->images == 0);
}

}  // namespace
}  // namespace freqstore

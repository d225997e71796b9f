// Rewriting a dataset to another layout: what readers, imports and restarts see.

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/catalog/stored_layout.h"
#include "storage/engine/originals.h"
#include "storage/segment/chunk_key.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/storage/engine/wait_for_end.h"
#include "tests/testutil/event.h"

namespace freqstore {
namespace {

using testutil::SmallJpeg;
using testutil::StoreHelper;
using testutil::WaitForEnd;
using Files = std::vector<std::pair<std::string, std::string>>;

constexpr int kSegments = 5;
constexpr int kImagesPerSegment = 8;

ImportOptions SmallSegments() {
  ImportOptions options;
  options.segment.images = kImagesPerSegment;
  return options;
}

Files ManyFiles(const std::string& prefix, int count) {
  Files files;
  for (int i = 0; i < count; ++i) files.emplace_back(fmt::format("{}{:03}", prefix, i), SmallJpeg(i % 25));
  return files;
}

/// A store with a dataset "d" of five full segments.
struct RewriteFixture {
  RewriteFixture() {
    REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
    for (const auto& [id, reason] : store.Import("d", files)) REQUIRE(reason == "OK");
    REQUIRE(store.engine().Describe("d")->segments == kSegments);
    images = store.ReadAll("d");
  }

  std::map<Layout, LayoutStats> Layouts() { return store.engine().Describe("d")->layouts; }

  void RequireAllStored() {
    const auto now = store.ReadAll("d");
    REQUIRE(now.size() == files.size());
    const auto snapshot = *store.engine().Snapshot("d");
    for (const auto& [id, file] : files) {
      if (images.contains(id)) REQUIRE(testutil::SamePlanes(now.at(id), images.at(id)));
      const auto position = snapshot->Find(id);
      REQUIRE(position.ok());
      REQUIRE(*ReadOriginalFile(*snapshot, *position) == file);
    }
  }

  StoreHelper store{SmallSegments()};
  Files files = ManyFiles("image-", kSegments* kImagesPerSegment);
  StoreHelper::Images images;
};

/// Starts a rewrite and runs `meanwhile` in the job's own thread, between two segments: until it returns, the
/// rewrite stands still. A rewrite that ends before it can be caught is done again, the other way round.
std::shared_ptr<RewriteJob> RewriteWith(StorageEngine& engine, Layout& layout,
                                        const std::function<void()>& meanwhile) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    layout = attempt % 2 == 0 ? Layout::kCompact : Layout::kFast;
    const auto job = *engine.Rewrite("d", layout);
    uint64_t seen = 0;
    bool caught = false;
    testutil::Event changed;
    auto progress = job->Poll(seen, {});
    while (progress && !progress->ended) {
      progress = job->Poll(seen, [&] {
        caught = engine.Describe("d")->layouts.size() > 1;
        if (caught) meanwhile();
        changed.Notify();
      });
    }
    if (progress) continue;
    changed.Wait();
    if (caught) return job;
  }
  FAIL("no rewrite could be caught in the middle");
  return nullptr;
}

TEST_CASE("a rewrite brings every segment to the layout and changes no image") {
  RewriteFixture fixture;
  auto before = *fixture.store.engine().Snapshot("d");
  const RewriteProgress progress = WaitForEnd(**fixture.store.engine().Rewrite("d", Layout::kCompact));
  REQUIRE(progress.status.ok());
  REQUIRE(progress.segments_total == kSegments);
  REQUIRE(progress.segments_done == kSegments);
  REQUIRE(progress.images_done == fixture.files.size());
  REQUIRE(progress.images_total == fixture.files.size());
  REQUIRE(progress.bytes_before > 0);
  REQUIRE(progress.bytes_after == fixture.store.engine().Describe("d")->column_bytes);
  REQUIRE(progress.damaged.empty());
  REQUIRE(fixture.Layouts().size() == 1);
  REQUIRE(fixture.Layouts().at(Layout::kCompact).segments == kSegments);
  fixture.RequireAllStored();

  // The reader of before still sees what it saw.
  const auto old = StoreHelper::ReadAll(*before);
  REQUIRE(old.size() == fixture.images.size());
  for (const auto& [id, planes] : old) REQUIRE(testutil::SamePlanes(planes, fixture.images.at(id)));
  before.reset();

  fixture.store.Close();
  REQUIRE(fixture.store.Open().ok());
  fixture.RequireAllStored();
  REQUIRE(WaitForEnd(**fixture.store.engine().Rewrite("d", Layout::kCompact)).segments_total == 0);
}

TEST_CASE("in the middle of a rewrite every image is there once, and imports go on in the new layout") {
  RewriteFixture fixture;
  StorageEngine& engine = fixture.store.engine();
  Layout layout = Layout::kCompact;
  const auto job = RewriteWith(engine, layout, [&] {
    fixture.RequireAllStored();
    const Files more = ManyFiles("more-", kImagesPerSegment);
    for (const auto& [id, reason] : fixture.store.Import("d", more)) REQUIRE(reason == "OK");
    fixture.files.insert(fixture.files.end(), more.begin(), more.end());
    fixture.RequireAllStored();
  });
  REQUIRE(WaitForEnd(*job).status.ok());
  REQUIRE(fixture.Layouts().size() == 1);
  REQUIRE(fixture.Layouts().at(layout).images == fixture.files.size());
  fixture.RequireAllStored();
}

TEST_CASE("who asks again watches the same rewrite; another layout is refused while it runs") {
  RewriteFixture fixture;
  StorageEngine& engine = fixture.store.engine();
  Layout layout = Layout::kCompact;
  std::shared_ptr<RewriteJob> again;
  std::string reason;
  const auto job = RewriteWith(engine, layout, [&] {
    again = *engine.Rewrite("d", layout);
    reason = ReasonOf(engine.Rewrite("d", Layout::kBalanced).status());
  });
  REQUIRE(again == job);
  REQUIRE(reason == "REWRITE_IN_PROGRESS");
  REQUIRE(WaitForEnd(*job).status.ok());
  REQUIRE(ReasonOf(engine.Rewrite("nothing", Layout::kFast).status()) == "DATASET_NOT_FOUND");
}

TEST_CASE("a rewrite that was stopped goes on when the store opens") {
  RewriteFixture fixture;
  Layout layout = Layout::kCompact;
  const auto job =
      RewriteWith(fixture.store.engine(), layout, [&] { fixture.store.engine().StopRewrites(); });
  const RewriteProgress progress = WaitForEnd(*job);
  REQUIRE(ReasonOf(progress.status) == "SERVER_STOPPING");
  REQUIRE(fixture.Layouts().size() == 2);
  REQUIRE(ReasonOf(fixture.store.engine().Rewrite("d", layout).status()) == "SERVER_STOPPING");
  fixture.store.Close();

  REQUIRE(fixture.store.Open().ok());
  const auto resumed = *fixture.store.engine().Rewrite("d", layout);
  REQUIRE(WaitForEnd(*resumed).status.ok());
  REQUIRE(fixture.Layouts().size() == 1);
  REQUIRE(fixture.Layouts().at(layout).segments == kSegments);
  fixture.RequireAllStored();
}

TEST_CASE("a rewrite gives the disk space of what it replaces back") {
  RewriteFixture fixture;
  StorageEngine& engine = fixture.store.engine();
  const uint64_t columns = engine.kv().DiskBytes(Family::kColumns);
  const uint64_t envelopes = engine.kv().DiskBytes(Family::kEnvelopes);
  for (int round = 0; round < 6; ++round) {
    WaitForEnd(**engine.Rewrite("d", round % 2 == 0 ? Layout::kCompact : Layout::kFast));
  }
  REQUIRE(engine.kv().DiskBytes(Family::kColumns) < 2 * columns);
  REQUIRE(engine.kv().DiskBytes(Family::kEnvelopes) < 2 * envelopes);
}

TEST_CASE("a damaged segment stays as it is and is named; the others are rewritten") {
  RewriteFixture fixture;
  const auto dataset = *fixture.store.engine().catalog().FindDataset("d");
  const uint64_t damaged = (*fixture.store.engine().Snapshot("d"))->parts()[1].segment->segment_id();
  fixture.store.Close();
  {
    auto raw = *KvStore::Open(fixture.store.data_dir() / "store", {});
    KvBatch batch;
    batch.Put(Family::kColumns, EncodeChunkKey({dataset.dataset_id(), damaged, {1, 7}}), "damaged");
    REQUIRE(raw->Write(batch).ok());
  }
  REQUIRE(fixture.store.Open().ok());
  for (int round = 0; round < 2; ++round) {
    const RewriteProgress progress = WaitForEnd(**fixture.store.engine().Rewrite("d", Layout::kCompact));
    REQUIRE(progress.status.ok());
    REQUIRE(progress.segments_total == (round == 0 ? kSegments : 1));
    REQUIRE(progress.segments_done == progress.segments_total);
    REQUIRE(progress.damaged.size() == 1);
    REQUIRE(progress.damaged[0].starts_with(fmt::format("segment {}: ", damaged)));
    REQUIRE(fixture.Layouts().at(Layout::kFast).segments == 1);
    REQUIRE(fixture.Layouts().at(Layout::kCompact).segments == kSegments - 1);
  }
  REQUIRE(fixture.store.engine().Describe("d")->images == fixture.files.size());
}

TEST_CASE("a rewrite of a dataset that is deleted meanwhile ends") {
  RewriteFixture fixture;
  StorageEngine& engine = fixture.store.engine();
  Layout layout = Layout::kCompact;
  const auto job = RewriteWith(engine, layout, [&] {
    REQUIRE(engine.catalog().DeleteDataset("d").ok());
    REQUIRE(engine.catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  });
  REQUIRE(ReasonOf(WaitForEnd(*job).status) == "DATASET_NOT_FOUND");
}

}  // namespace
}  // namespace freqstore

// Deleting images, compaction, and the proof that their bytes are off the disk.

#include <set>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/originals.h"
#include "storage/engine/row_selection.h"
#include "storage/engine/segment_images.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/testutil/files.h"

namespace freqstore {
namespace {

using testutil::StoreHelper;
using Files = std::map<std::string, std::string>;

constexpr int kImagesPerSegment = 8;

ImportOptions SmallSegments() {
  ImportOptions options;
  options.segment.images = kImagesPerSegment;
  return options;
}

/// A comment that no other file has: what is searched for on disk.
std::string MarkedJpeg(int seed) {
  std::string file = testutil::SmallJpeg(seed);
  const std::string text = fmt::format("the secret of image {:04}, which nobody else has", seed);
  const size_t length = text.size() + 2;
  const std::string comment =
      std::string("\xff\xfe") + static_cast<char>(length >> 8) + static_cast<char>(length) + text;
  return file.insert(2, comment);
}

/// 24 images in three segments and one in the delta.
class DeletionTest {
 public:
  DeletionTest() {
    REQUIRE(engine().catalog().CreateDataset("d", storage::v1::LAYOUT_BALANCED).ok());
    for (int first : {0, 8, 16, 24}) {
      std::vector<std::pair<std::string, std::string>> files;
      for (int i = first; i < std::min(first + 8, 25); ++i) {
        files.emplace_back(fmt::format("{:02}", i), MarkedJpeg(i));
        files_.insert(files.back());
      }
      for (const auto& [id, reason] : store_.Import("d", files)) REQUIRE(reason == "OK");
    }
    REQUIRE(engine().Describe("d")->segments == 3);
    REQUIRE(engine().Describe("d")->delta_images == 1);
  }

  StorageEngine& engine() { return store_.engine(); }

  DeletionResult Delete(std::vector<std::string> ids) {
    for (const std::string& id : ids) files_.erase(id);
    return *engine().DeleteImages("d", ids);
  }

  /// Exactly the images of files_ are there, each once, and give their files back.
  void RequireAll() { RequireAll(*engine().Snapshot("d"), files_); }
  static void RequireAll(const std::shared_ptr<const DatasetSnapshot>& snapshot, const Files& files) {
    REQUIRE(StoreHelper::ReadAll(*snapshot).size() == files.size());
    REQUIRE(snapshot->image_count() == files.size());
    REQUIRE(snapshot->ListImageIds("", 1000)->size() == files.size());
    for (const auto& [id, file] : files) {
      const auto position = snapshot->Find(id);
      REQUIRE(position.ok());
      REQUIRE(*ReadOriginalFile(*snapshot, *position) == file);
    }
  }

  std::vector<storage::v1::DeletionRecord> Deletions() { return *engine().Deletions("d"); }

  /// Whether any file of the store has these bytes.
  bool IsOnDisk(const std::string& bytes) { return testutil::IsOnDisk(store_.data_dir(), bytes); }

 protected:
  StoreHelper store_{SmallSegments()};
  Files files_;
};

TEST_CASE_METHOD(DeletionTest, "deleted images are gone at once and for good, the others stay") {
  const DeletionResult result = Delete({"01", "09", "10", "24", "nobody"});
  CHECK(result.images == 4);
  CHECK(result.missing == std::vector<std::string>{"nobody"});
  RequireAll();
  const DatasetStats stats = *engine().Describe("d");
  CHECK(stats.images == 21);
  CHECK(stats.deleted_images == 3);
  CHECK(ReasonOf(engine().Snapshot("d").value()->Find("09").status()) == "IMAGE_NOT_FOUND");
  CHECK(Delete({"09"}).images == 0);
  store_.Close();
  REQUIRE(store_.Open().ok());
  RequireAll();
  // The id is free.
  files_["09"] = MarkedJpeg(77);
  CHECK(store_.Import("d", {{"09", files_["09"]}})["09"] == "OK");
  RequireAll();
}

TEST_CASE_METHOD(DeletionTest, "a filter deletes what it holds for") {
  const Predicate below = Predicate::Compare(static_cast<uint32_t>(SystemAttribute::kImageId),
                                             Predicate::Comparison::kLess, std::string("20"));
  const auto result = *engine().DeleteImages("d", ImageFilter{below, "image_id < 20"});
  CHECK(result.images == 20);
  std::erase_if(files_, [](const auto& entry) { return entry.first < "20"; });
  RequireAll();
  REQUIRE(Deletions().size() == 1);
  CHECK(Deletions()[0].selection() == "image_id < 20");
  CHECK(Deletions()[0].images() == 20);
  // Segments of which nothing is left go without being read.
  CHECK(engine().Compact("d")->is_purged);
  CHECK(engine().Describe("d")->segments == 1);
  RequireAll();
}

TEST_CASE_METHOD(DeletionTest, "a reader sees to its end what was there when it began") {
  const Files before = files_;
  auto snapshot = *engine().Snapshot("d");
  Delete({"00", "01", "02", "03", "24"});
  RequireAll(snapshot, before);
  CHECK_FALSE(engine().Compact("d")->is_purged);
  store_.Flush("d");
  RequireAll(snapshot, before);
  RequireAll();
  CHECK(Deletions()[0].purge_time_us() == 0);
  snapshot.reset();
  CHECK(engine().Compact("d")->is_purged);
  CHECK(Deletions()[0].purge_time_us() >= Deletions()[0].delete_time_us());
  RequireAll();
}

TEST_CASE_METHOD(DeletionTest, "once a deletion is purged, nothing of the images is in any file") {
  const std::string kept = "the secret of image 0006";
  // Envelopes are compressed: only files that are kept whole, and the delta, can be found by their bytes.
  std::string damaged = MarkedJpeg(99);
  damaged.resize(damaged.size() - 40);
  store_.Import("d", {{"damaged", damaged}});
  REQUIRE(IsOnDisk("the secret of image 0099"));
  REQUIRE(IsOnDisk("the secret of image 0024"));
  SECTION("from the delta") {}
  SECTION("from a segment") {
    store_.Flush("d");
  }
  Delete({"damaged", "24", "03"});
  const CompactResult result = *engine().Compact("d");
  REQUIRE(result.is_purged);
  CHECK_FALSE(IsOnDisk("the secret of image 0099"));
  CHECK_FALSE(IsOnDisk("the secret of image 0024"));
  CHECK(Deletions()[0].selection() == "'damaged' and 2 more");
  RequireAll();
}

TEST_CASE_METHOD(DeletionTest, "compaction joins what is left of small segments") {
  store_.Flush("d");
  Delete({"00", "01", "02", "03", "04", "05", "08", "09", "10", "11", "12", "13"});
  const CompactResult result = *engine().Compact("d");
  CHECK(result.segments_before == 4);
  CHECK(result.segments_after == 2);
  CHECK(result.images_moved == 2 + 2 + 1);
  CHECK(engine().Describe("d")->deleted_images == 0);
  RequireAll();
  const CompactResult again = *engine().Compact("d");
  CHECK(again.images_moved == 0);
  CHECK(again.is_purged);
  store_.Close();
  REQUIRE(store_.Open().ok());
  RequireAll();
}

TEST_CASE_METHOD(DeletionTest, "what is deleted while its segment is rewritten is deleted in the new one") {
  // Read before, committed after.
  const DatasetView view = *engine().catalog().View("d");
  const auto snapshot = *DatasetSnapshot::Take(&engine().kv(), view);
  SegmentImages read;
  REQUIRE(ReadSegmentImages(*snapshot, snapshot->parts()[0], read).ok());
  const std::string victim = read.images[3].record().image_id;
  const std::string labelled = read.images[4].record().image_id;
  Delete({victim});
  REQUIRE(engine().UpdateAttributes("d", {{std::vector{labelled}, {{"label", std::string("late")}}}}).ok());
  REQUIRE(CommitInDatasetLayout(engine().kv(), engine().catalog(), view.meta.dataset_id(), read.images,
                                read.sources)
              .ok());
  RequireAll();
  CHECK(engine().Describe("d")->deleted_images == 1);
  const auto after = *engine().Snapshot("d");
  const auto position = *after->Find(labelled);
  const auto columns = *after->ReadAttributes(after->parts()[position.part]);
  CHECK(columns.at(kFirstOwnAttribute)->value(position.ordinal) == AttributeValue(std::string("late")));
  // The new segment holds the deleted image, so the deletion waits for it, too.
  REQUIRE(Deletions()[0].pending_segments_size() == 2);
  // What has gone cannot be committed again.
  CHECK(ReasonOf(CommitInDatasetLayout(engine().kv(), engine().catalog(), view.meta.dataset_id(), read.images,
                                       read.sources)) == "SEGMENT_NOT_FOUND");
  RequireAll();
}

TEST_CASE_METHOD(DeletionTest, "on a full disk images are refused, and can be deleted and compacted away") {
  store_.Close();
  store_.options().kv.free_bytes_min = uint64_t{1} << 62;
  REQUIRE(store_.Open().ok());
  CHECK(store_.Import("d", {{"more", MarkedJpeg(50)}})["more"] == "DISK_FULL");
  CHECK(Delete({"00", "01", "02", "03", "04", "05", "06", "07", "24"}).images == 9);
  RequireAll();
  CHECK(engine().Compact("d")->segments_after == 2);
  RequireAll();
}

TEST_CASE_METHOD(DeletionTest, "a damaged segment is named and left as it is") {
  const DatasetView view = *engine().catalog().View("d");
  const uint64_t segment = view.segments->front().id();
  Delete({"00"});
  KvBatch batch;
  batch.Put(Family::kEnvelopes, keys::EnvelopeBlock(view.meta.dataset_id(), segment), "damaged");
  REQUIRE(engine().kv().Write(batch).ok());
  const CompactResult result = *engine().Compact("d");
  REQUIRE(result.damaged.size() == 1);
  CHECK(result.damaged[0].starts_with(fmt::format("segment {}", segment)));
  CHECK_FALSE(result.is_purged);
  CHECK(engine().Describe("d")->images == files_.size());
}

}  // namespace
}  // namespace freqstore

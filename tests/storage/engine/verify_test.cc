// Verifying a store: what is damaged is named and set apart, and everything else serves.

#include <set>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/originals.h"
#include "storage/engine/row_selection.h"
#include "storage/segment/chunk_key.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/storage/engine/wait_for_end.h"

namespace freqstore {
namespace {

using testutil::StoreHelper;
using testutil::WaitForEnd;

ImportOptions SmallSegments() {
  ImportOptions options;
  options.segment.images = 8;
  return options;
}

/// 16 images in two segments and one in the delta.
class VerifyTest {
 public:
  VerifyTest() {
    REQUIRE(engine().catalog().CreateDataset("d", storage::v1::LAYOUT_BALANCED).ok());
    for (int first : {0, 8, 16}) {
      std::vector<std::pair<std::string, std::string>> files;
      for (int i = first; i < std::min(first + 8, 17); ++i)
        files.emplace_back(fmt::format("{:02}", i), testutil::SmallJpeg(i));
      for (const auto& [id, reason] : store_.Import("d", files)) REQUIRE(reason == "OK");
    }
    const DatasetView view = *engine().catalog().View("d");
    dataset_id_ = view.meta.dataset_id();
    segment_ = view.segments->front().id();
  }

  StorageEngine& engine() { return store_.engine(); }
  VerifyProgress Verify(const VerifyOptions& options = {}) { return WaitForEnd(*engine().Verify(options)); }

  /// Puts other bytes in place of a value, and gives what was there.
  std::string Replace(Family family, const std::string& key, std::string value) {
    const std::string before = (*engine().kv().Get(family, key)).value();
    KvBatch batch;
    batch.Put(family, key, std::move(value));
    REQUIRE(engine().kv().Write(batch).ok());
    return before;
  }

  /// Images that can be read in full, and the reasons of those that cannot.
  std::pair<size_t, std::set<std::string>> ReadEach() {
    const auto snapshot = *engine().Snapshot("d");
    size_t good = 0;
    std::set<std::string> reasons;
    for (int i = 0; i < 17; ++i) {
      const auto file = ReadOriginalFile(*snapshot, *snapshot->Find(fmt::format("{:02}", i)));
      if (file.ok()) ++good;
      if (!file.ok()) reasons.insert(ReasonOf(file.status()));
    }
    return {good, reasons};
  }

 protected:
  StoreHelper store_{SmallSegments()};
  uint32_t dataset_id_ = 0;
  uint64_t segment_ = 0;
};

TEST_CASE_METHOD(VerifyTest, "a sound store verifies: every table, every image, a sample of the originals") {
  store_.Close();
  REQUIRE(store_.Open().ok());
  const VerifyProgress progress = Verify({.originals_every = 4});
  CHECK(progress.status.ok());
  CHECK(progress.damaged.empty());
  CHECK(progress.tables_checked > 0);
  CHECK(progress.segments_total == 2);
  CHECK(progress.segments_done == 2);
  CHECK(progress.images_total == 17);
  CHECK(progress.images_done == 17);
  CHECK(progress.originals == 2 + 2 + 1);
  CHECK(Verify({.originals_every = 1}).originals == 17);
  CHECK(Verify({.originals_every = 0}).originals == 0);
}

TEST_CASE_METHOD(VerifyTest, "a damaged segment is quarantined until it is sound again; the rest serves") {
  const std::string key = EncodeChunkKey({dataset_id_, segment_, {0, 5}});
  const std::string chunk = Replace(Family::kColumns, key, "damaged");
  CHECK(Verify({.quarantine = false}).damaged.size() == 1);
  CHECK(engine().Describe("d")->quarantined_segments == 0);

  const VerifyProgress found = Verify();
  REQUIRE(found.damaged.size() == 1);
  CHECK(found.damaged[0].starts_with(fmt::format("dataset d, segment {}: ", segment_)));
  CHECK(found.quarantined == 1);
  CHECK(engine().Describe("d")->quarantined_segments == 1);
  for (int round = 0; round < 2; ++round) {
    CHECK(ReadEach() == std::pair(size_t{9}, std::set<std::string>{"SEGMENT_QUARANTINED"}));
    store_.Close();
    REQUIRE(store_.Open().ok());
  }
  // Compaction leaves it alone, its images can be deleted.
  REQUIRE(engine().DeleteImages("d", std::vector<std::string>{"03"})->images == 1);
  CHECK(engine().Compact("d")->images_moved == 0);

  Replace(Family::kColumns, key, chunk);
  const VerifyProgress sound = Verify();
  CHECK(sound.damaged.empty());
  CHECK(sound.released == 1);
  CHECK(engine().Describe("d")->quarantined_segments == 0);
}

TEST_CASE_METHOD(VerifyTest, "every part of a segment is looked at") {
  const auto check = [&](Family family, const std::string& key, std::string_view what) {
    const std::string before = Replace(family, key, "damaged");
    const VerifyProgress progress = Verify();
    INFO(what);
    CHECK(progress.damaged.size() == 1);
    CHECK(progress.quarantined == 1);
    Replace(family, key, before);
    CHECK(Verify().released == 1);
  };
  check(Family::kCatalog, keys::ImageTable(dataset_id_, segment_), "image table");
  check(Family::kEnvelopes, keys::EnvelopeBlock(dataset_id_, segment_), "envelopes");
  check(Family::kAttributes,
        keys::AttributeColumn(dataset_id_, segment_, static_cast<uint32_t>(SystemAttribute::kHeight)),
        "attributes");
}

TEST_CASE_METHOD(VerifyTest, "a damaged row of the delta is named") {
  const auto snapshot = *engine().Snapshot("d");
  const uint64_t row = snapshot->parts().back().delta->row;
  Replace(Family::kDelta, keys::Delta(dataset_id_, keys::DeltaKind::kChunks, row), "damaged");
  const VerifyProgress progress = Verify();
  REQUIRE(progress.damaged.size() == 1);
  CHECK(progress.damaged[0].starts_with(fmt::format("dataset d, delta row {}: ", row)));
  CHECK(progress.quarantined == 0);
  CHECK(ReadEach().first == 16);
}

}  // namespace
}  // namespace freqstore

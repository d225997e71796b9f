#include "storage/catalog/catalog.h"

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_layout.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

constexpr uint32_t kImages = 3;

/// A catalog with one dataset "d" of layout fast.
class CatalogFixture {
 public:
  CatalogFixture() {
    Open();
    dataset_id_ = catalog_->CreateDataset("d", storage::v1::LAYOUT_FAST)->dataset_id();
  }

  Catalog& catalog() { return *catalog_; }
  KvStore& kv() { return *kv_; }
  uint32_t dataset_id() const { return dataset_id_; }

  void Reopen() {
    catalog_.reset();
    kv_.reset();
    Open();
  }

  /// Commits a segment that has one chunk, one envelope and an image table, no rows.
  absl::StatusOr<uint64_t> Commit(storage::v1::Layout layout, std::optional<uint64_t> replaced = {}) {
    storage::v1::SegmentMeta meta;
    meta.set_segment_id(catalog_->AllocateSegment(dataset_id_));
    meta.set_layout(layout);
    meta.set_images(kImages);
    const absl::Status status = catalog_->Transact(dataset_id_, [&](DatasetTransaction& transaction) {
      KvBatch& batch = transaction.batch();
      batch.Put(Family::kCatalog, keys::ImageTable(dataset_id_, meta.segment_id()), "rows");
      batch.Put(Family::kColumns, Chunk(meta.segment_id()), "chunk");
      batch.Put(Family::kEnvelopes, keys::KeptFile(dataset_id_, meta.segment_id(), 0), "file");
      if (replaced) transaction.RemoveSegment(*replaced);
      transaction.AddSegment(meta, SegmentState(kImages));
      return absl::OkStatus();
    });
    RETURN_IF_ERROR(status);
    return meta.segment_id();
  }

  bool Holds(uint64_t segment) {
    const bool table = (*kv_->Get(Family::kCatalog, keys::ImageTable(dataset_id_, segment))).has_value();
    REQUIRE((*kv_->Get(Family::kColumns, Chunk(segment))).has_value() == table);
    REQUIRE((*kv_->Get(Family::kEnvelopes, keys::KeptFile(dataset_id_, segment, 0))).has_value() == table);
    return table;
  }

  std::vector<uint64_t> Segments() {
    std::vector<uint64_t> ids;
    const DatasetView view = *catalog_->View("d");
    for (const SegmentEntry& segment : *view.segments) ids.push_back(segment.id());
    return ids;
  }

 private:
  void Open() {
    kv_ = *KvStore::Open(folder_.path(), {});
    catalog_ = *Catalog::Open(kv_.get());
  }
  std::string Chunk(uint64_t segment) const { return keys::SegmentRows(dataset_id_, segment) + "column"; }

  testutil::TempFolder folder_;
  std::unique_ptr<KvStore> kv_;
  std::unique_ptr<Catalog> catalog_;
  uint32_t dataset_id_ = 0;
};

TEST_CASE("a segment takes another's place in one step, for good") {
  CatalogFixture fixture;
  const uint64_t first = *fixture.Commit(storage::v1::LAYOUT_FAST);
  const uint64_t second = *fixture.Commit(storage::v1::LAYOUT_FAST);
  DatasetView before = *fixture.catalog().View("d");

  const uint64_t third = *fixture.Commit(storage::v1::LAYOUT_FAST, first);
  REQUIRE(fixture.Segments() == std::vector{second, third});
  REQUIRE_FALSE(fixture.Holds(first));
  REQUIRE(before.segments->size() == 2);
  REQUIRE((*fixture.kv().Get(Family::kCatalog, keys::ImageTable(fixture.dataset_id(), first),
                             before.snapshot.get()))
              .has_value());
  before = {};

  fixture.Reopen();
  REQUIRE(fixture.Segments() == std::vector{second, third});
  REQUIRE(fixture.Holds(second));
  REQUIRE_FALSE(fixture.Holds(first));
}

TEST_CASE("the layout of a dataset is durable") {
  CatalogFixture fixture;
  REQUIRE(fixture.catalog().SetLayout(fixture.dataset_id(), storage::v1::LAYOUT_COMPACT).ok());
  fixture.Reopen();
  REQUIRE(*fixture.catalog().DatasetLayout(fixture.dataset_id()) == storage::v1::LAYOUT_COMPACT);
  REQUIRE(ReasonOf(fixture.catalog().SetLayout(99, storage::v1::LAYOUT_FAST)) == "DATASET_NOT_FOUND");
}

TEST_CASE("a transaction that fails changes nothing") {
  CatalogFixture fixture;
  const uint64_t segment = *fixture.Commit(storage::v1::LAYOUT_FAST);
  const absl::Status status =
      fixture.catalog().Transact(fixture.dataset_id(), [&](DatasetTransaction& transaction) {
        transaction.RemoveSegment(segment);
        return absl::AbortedError("no");
      });
  REQUIRE(absl::IsAborted(status));
  REQUIRE(fixture.Segments() == std::vector{segment});
  REQUIRE(fixture.Holds(segment));
}

TEST_CASE(
    "the state of a segment changes beside what it was written with, for views that come later, and for "
    "good") {
  CatalogFixture fixture;
  const uint64_t segment = *fixture.Commit(storage::v1::LAYOUT_FAST);
  DatasetView before = *fixture.catalog().View("d");
  REQUIRE(fixture.catalog()
              .Transact(fixture.dataset_id(),
                        [&](DatasetTransaction& transaction) {
                          SegmentState state = *transaction.view().FindSegment(segment)->state;
                          state.deleted.Insert(1);
                          state.deleted_file_bytes = 77;
                          state.zones[300] = {.present = 2, .min = int64_t{-5}, .max = int64_t{9}};
                          state.zones[301] = {.present = 3, .min = std::string("a"), .max = {}};
                          state.quarantine = "a test";
                          transaction.UpdateState(segment, std::move(state));
                          return absl::OkStatus();
                        })
              .ok());
  REQUIRE(before.FindSegment(segment)->state->deleted.empty());
  before = {};
  for (int round = 0; round < 2; ++round) {
    const SegmentState state = *fixture.catalog().View("d")->FindSegment(segment)->state;
    CHECK(state.deleted.ToOrdinals() == std::vector<uint32_t>{1});
    CHECK(state.deleted_file_bytes == 77);
    CHECK(state.zones.at(300) == ZoneMap{.present = 2, .min = int64_t{-5}, .max = int64_t{9}});
    CHECK(state.zones.at(301) == ZoneMap{.present = 3, .min = std::string("a"), .max = {}});
    CHECK(state.quarantine == "a test");
    fixture.Reopen();
  }
}

TEST_CASE("a dataset's attributes keep their numbers and types") {
  CatalogFixture fixture;
  const uint32_t id = fixture.dataset_id();
  const auto label = *fixture.catalog().EnsureAttribute(id, "label", AttributeType::kString);
  REQUIRE(label->Find("label")->id == kFirstOwnAttribute);
  REQUIRE(fixture.catalog().EnsureAttribute(id, "score", AttributeType::kDouble).ok());
  fixture.Reopen();
  const auto schema = *fixture.catalog().EnsureAttribute(id, "label", AttributeType::kDouble);
  REQUIRE(schema->own().size() == 2);
  REQUIRE(schema->Find("label")->type == AttributeType::kString);
  REQUIRE(schema->Find("score")->id == kFirstOwnAttribute + 1);
  REQUIRE(ReasonOf(fixture.catalog().EnsureAttribute(id, "width", AttributeType::kInteger).status()) ==
          "RESERVED_ATTRIBUTE_NAME");
  REQUIRE(ReasonOf(fixture.catalog().EnsureAttribute(id, "9lives", AttributeType::kInteger).status()) ==
          "INVALID_ATTRIBUTE_NAME");
}

TEST_CASE("what was stored before there were layouts is fast") {
  REQUIRE(LayoutOf(storage::v1::SegmentMeta()) == Layout::kFast);
  REQUIRE(LayoutOf(StoredLayout(Layout::kBalanced)) == Layout::kBalanced);
}

}  // namespace
}  // namespace freqstore

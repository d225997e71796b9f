#include "storage/catalog/catalog.h"

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_layout.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

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
    KvBatch batch;
    batch.Put(Family::kCatalog, keys::ImageTable(dataset_id_, meta.segment_id()), "rows");
    batch.Put(Family::kColumns, Chunk(meta.segment_id()), "chunk");
    batch.Put(Family::kEnvelopes, keys::KeptFile(dataset_id_, meta.segment_id(), 0), "file");
    RETURN_IF_ERROR(catalog_->CommitSegment(dataset_id_, meta, std::move(batch), replaced));
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
    for (const auto& segment : *view.segments) ids.push_back(segment->segment_id());
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

  REQUIRE(ReasonOf(fixture.Commit(storage::v1::LAYOUT_FAST, first).status()) == "SEGMENT_NOT_FOUND");
  fixture.Reopen();
  REQUIRE(fixture.Segments() == std::vector{second, third});
  REQUIRE(fixture.Holds(second));
  REQUIRE_FALSE(fixture.Holds(first));
}

TEST_CASE("once a dataset has another layout, no segment of the old one appears") {
  CatalogFixture fixture;
  const uint64_t old = *fixture.Commit(storage::v1::LAYOUT_FAST);
  REQUIRE(fixture.catalog().SetLayout(fixture.dataset_id(), storage::v1::LAYOUT_COMPACT).ok());
  REQUIRE(ReasonOf(fixture.Commit(storage::v1::LAYOUT_FAST).status()) == "LAYOUT_CHANGED");
  const uint64_t added = *fixture.Commit(storage::v1::LAYOUT_COMPACT);
  REQUIRE(fixture.Segments() == std::vector{old, added});
  fixture.Reopen();
  REQUIRE(*fixture.catalog().DatasetLayout(fixture.dataset_id()) == storage::v1::LAYOUT_COMPACT);
  REQUIRE(ReasonOf(fixture.catalog().SetLayout(99, storage::v1::LAYOUT_FAST)) == "DATASET_NOT_FOUND");
}

TEST_CASE("what was stored before there were layouts is fast") {
  REQUIRE(LayoutOf(storage::v1::SegmentMeta()) == Layout::kFast);
  REQUIRE(LayoutOf(StoredLayout(Layout::kBalanced)) == Layout::kBalanced);
}

}  // namespace
}  // namespace freqstore

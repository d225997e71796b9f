// What a store looks like when it opens again.

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/segment/chunk_key.h"
#include "tests/storage/engine/store_helper.h"

namespace freqstore {
namespace {

using testutil::SmallJpeg;
using testutil::StoreHelper;

/// The raw store of a closed engine.
std::unique_ptr<KvStore> RawStore(const StoreHelper& store) {
  return *KvStore::Open(store.data_dir() / "store", {});
}

TEST_CASE("reopening finds segments and delta as they were, and goes on numbering") {
  ImportOptions options;
  options.segment.images = 4;
  StoreHelper store(options);
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  for (int round = 0; round < 3; ++round) {
    std::vector<std::pair<std::string, std::string>> files;
    for (int i = 0; i < 4; ++i) files.emplace_back(fmt::format("{}-{}", round, i), SmallJpeg(i));
    store.Import("d", files);
    store.Import("d", {{fmt::format("{}-single", round), SmallJpeg(9)}});
    store.Close();
    REQUIRE(store.Open().ok());
  }
  REQUIRE(store.ReadAll("d").size() == 15);
  REQUIRE(store.engine().Describe("d")->segments >= 3);
}

TEST_CASE("chunks of a segment that never became visible are swept at open") {
  StoreHelper store;
  const auto dataset = store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST);
  store.Import("d", {{"a", SmallJpeg(1)}});
  REQUIRE(store.engine().Flush("d").ok());
  store.Close();
  const uint64_t orphan = 77;
  const std::string key = EncodeChunkKey({dataset->dataset_id(), orphan, {0, 0}});
  const std::string envelope = keys::EnvelopeBlock(dataset->dataset_id(), orphan);
  {
    auto raw = RawStore(store);
    REQUIRE(raw->Ingest(std::vector<SortedEntries>{{Family::kColumns, {{key, "chunk"}}},
                                                   {Family::kEnvelopes, {{envelope, "file"}}}})
                .ok());
  }
  REQUIRE(store.Open().ok());
  REQUIRE(store.engine().catalog().AllocateSegment(dataset->dataset_id()) > orphan);
  REQUIRE(store.ReadAll("d").size() == 1);
  store.Close();
  auto raw = RawStore(store);
  REQUIRE_FALSE(raw->Get(Family::kColumns, key)->has_value());
  REQUIRE_FALSE(raw->Get(Family::kEnvelopes, envelope)->has_value());
}

TEST_CASE("a store of a format that cannot be read is refused, and stays as it is") {
  StoreHelper store;
  store.Close();
  const auto reason_with = [&](uint32_t major, uint32_t minor) {
    {
      auto raw = RawStore(store);
      storage::v1::StoreMeta meta;
      meta.set_format_major(major);
      meta.set_format_minor(minor);
      KvBatch batch;
      batch.Put(Family::kCatalog, keys::StoreMeta(), meta.SerializeAsString());
      REQUIRE(raw->Write(batch).ok());
    }
    return ReasonOf(store.Open());
  };
  CHECK(reason_with(kStoreFormatMajor, kStoreFormatMinor + 1) == "NEWER_FORMAT");
  CHECK(reason_with(kStoreFormatMajor + 1, 0) == "NEWER_FORMAT");
  CHECK(reason_with(kStoreFormatMajor - 1, 1) == "OLDER_FORMAT");
  CHECK(reason_with(kStoreFormatMajor, kStoreFormatMinor) == "OK");
}

TEST_CASE("a store of an older format opens, and is of the newer one then") {
  StoreHelper store;
  store.Close();
  const auto rewrite = [&](uint32_t minor) {
    auto raw = RawStore(store);
    storage::v1::StoreMeta meta;
    REQUIRE(meta.ParseFromString(**raw->Get(Family::kCatalog, keys::StoreMeta())));
    const uint32_t before = meta.format_minor();
    meta.set_format_minor(minor);
    KvBatch batch;
    batch.Put(Family::kCatalog, keys::StoreMeta(), meta.SerializeAsString());
    REQUIRE(raw->Write(batch).ok());
    return before;
  };
  rewrite(0);
  REQUIRE(store.Open().ok());
  store.Close();
  REQUIRE(rewrite(kStoreFormatMinor) == kStoreFormatMinor);
}

TEST_CASE("a damaged delta row costs itself only when the delta is flushed") {
  StoreHelper store;
  const auto dataset = store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST);
  store.Import("d", {{"a", SmallJpeg(1)}, {"b", SmallJpeg(2)}});
  store.Close();
  {
    auto raw = RawStore(store);
    KvBatch batch;
    batch.Put(Family::kDelta, keys::Delta(dataset->dataset_id(), keys::DeltaKind::kChunks, 1), "damaged");
    REQUIRE(raw->Write(batch).ok());
  }
  REQUIRE(store.Open().ok());
  const auto flushed = store.engine().Flush("d");
  REQUIRE(flushed.ok());
  REQUIRE(flushed->images == 1);
  REQUIRE(flushed->damaged.size() == 1);
  REQUIRE(store.engine().Describe("d")->images == 2);
}

}  // namespace
}  // namespace freqstore

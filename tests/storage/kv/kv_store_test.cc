#include "storage/kv/kv_store.h"

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

std::unique_ptr<KvStore> OpenStore(const std::filesystem::path& folder) {
  auto store = KvStore::Open(folder, {});
  INFO(store.status().ToString());
  REQUIRE(store.ok());
  return *std::move(store);
}

std::string KeysUnder(KvStore& store, Family family, const std::string& prefix,
                      const KvSnapshot* snapshot = nullptr) {
  std::string keys;
  const auto cursor = store.Scan(family, prefix, snapshot);
  for (; cursor->Valid(); cursor->Next()) keys += std::string(cursor->key()) + " ";
  REQUIRE(cursor->status().ok());
  return keys;
}

TEST_CASE("what was written is there after reopening") {
  const testutil::TempFolder folder;
  {
    auto store = OpenStore(folder.path());
    KvBatch batch;
    batch.Put(Family::kCatalog, "a", "1");
    batch.Put(Family::kRows, "a", "2");
    REQUIRE(store->Write(batch).ok());
    const std::string value(100'000, 'x');
    REQUIRE(store->Ingest(std::vector<SortedEntries>{{Family::kColumns, {{"k1", value}, {"k2", "y"}}}}).ok());
  }
  auto store = OpenStore(folder.path());
  REQUIRE(**store->Get(Family::kCatalog, "a") == "1");
  REQUIRE(**store->Get(Family::kRows, "a") == "2");
  REQUIRE_FALSE(store->Get(Family::kDelta, "a")->has_value());
  const std::vector<std::string> keys = {"k0", "k1", "k2"};
  const auto values = store->MultiGet(Family::kColumns, keys);
  REQUIRE(values.ok());
  REQUIRE((*values)[0] == nullptr);
  REQUIRE((*values)[1]->bytes().size() == 100'000);
  REQUIRE(AsString((*values)[2]->bytes()) == "y");
}

TEST_CASE("a snapshot does not see what came later") {
  const testutil::TempFolder folder;
  auto store = OpenStore(folder.path());
  KvBatch first;
  first.Put(Family::kRows, "p1", "");
  first.Put(Family::kRows, "q1", "");
  REQUIRE(store->Write(first).ok());
  const auto snapshot = store->Snapshot();
  KvBatch second;
  second.Put(Family::kRows, "p2", "");
  second.DeletePrefix(Family::kRows, "q");
  REQUIRE(store->Write(second).ok());
  REQUIRE(store->Ingest(std::vector<SortedEntries>{{Family::kRows, {{"p3", ""}}}}).ok());
  REQUIRE(KeysUnder(*store, Family::kRows, "p", snapshot.get()) == "p1 ");
  REQUIRE(KeysUnder(*store, Family::kRows, "q", snapshot.get()) == "q1 ");
  REQUIRE(KeysUnder(*store, Family::kRows, "p") == "p1 p2 p3 ");
  REQUIRE(KeysUnder(*store, Family::kRows, "q").empty());
}

TEST_CASE("a cursor stays in its prefix, wherever it is sent") {
  const testutil::TempFolder folder;
  auto store = OpenStore(folder.path());
  KvBatch batch;
  for (const char* key : {"a", "b1", "b2", "b3", "c"}) batch.Put(Family::kCatalog, key, key);
  REQUIRE(store->Write(batch).ok());
  const auto cursor = store->Scan(Family::kCatalog, "b");
  cursor->Seek("a");
  REQUIRE(cursor->key() == "b1");
  cursor->Seek("b2x");
  REQUIRE(cursor->key() == "b3");
  cursor->Next();
  REQUIRE_FALSE(cursor->Valid());
  REQUIRE(PrefixEnd("b") == "c");
  REQUIRE(PrefixEnd("b\xff") == "c");
  REQUIRE(PrefixEnd("\xff\xff").empty());
}

TEST_CASE("a store opens once") {
  const testutil::TempFolder folder;
  auto store = OpenStore(folder.path());
  const auto second = KvStore::Open(folder.path(), {});
  REQUIRE_FALSE(second.ok());
  REQUIRE(ReasonOf(second.status()) == "STORE_LOCKED");
}

}  // namespace
}  // namespace freqstore

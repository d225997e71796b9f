// Verification, purging, memory and statistics of the store.

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/kv/kv_store.h"
#include "tests/storage/kv/kv_test_store.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;
using namespace kv_test;
using testutil::TempFolder;

TEST_CASE("a store of before a family was added opens and gets it") {
  const TempFolder folder;
  const fs::path golden = fs::path(FREQSTORE_SOURCE_DIR) / "tests/golden/store_v2_0/store";
  fs::copy(golden, folder.path() / "store");
  for (const char* const value : {"", "colour"}) {
    auto store = OpenStore(folder.path() / "store");
    REQUIRE(store->Scan(Family::kCatalog, "")->Valid());
    REQUIRE(store->Scan(Family::kColumns, "")->Valid());
    REQUIRE(store->Get(Family::kAttributes, "a")->value_or("") == value);
    Put(*store, Family::kAttributes, "a", "colour");
    for (const KvTableCheck& check : VerifyAll(*store)) REQUIRE(check.status.ok());
  }
}

TEST_CASE("verification names each damaged table and goes on") {
  const TempFolder folder;
  auto store = OpenStore(folder.path());
  for (int i = 0; i < 6; ++i)
    Ingest(*store, Family::kColumns, fmt::format("key {}", i),
           std::string(70'000, static_cast<char>('a' + i)));
  for (const KvTableCheck& check : VerifyAll(*store)) {
    REQUIRE(check.status.ok());
    REQUIRE(check.has_file_checksum);
    REQUIRE(check.family == "columns");
    REQUIRE(check.smallest_key == check.largest_key);
  }
  const std::vector<fs::path> tables = FilesOf(folder.path(), ".sst");
  REQUIRE(tables.size() == 6);
  FlipBit(tables[1], 8 * 1000);
  fs::resize_file(tables[3], fs::file_size(tables[3]) - 1);
  fs::remove(tables[4]);
  std::vector<std::string> damaged;
  for (const KvTableCheck& check : VerifyAll(*store)) {
    if (!check.status.ok()) damaged.push_back(check.file);
    REQUIRE((check.status.ok() || ReasonOf(check.status) == "STORE_CORRUPT"));
  }
  std::sort(damaged.begin(), damaged.end());
  REQUIRE(damaged ==
          std::vector<std::string>{tables[1].filename(), tables[3].filename(), tables[4].filename()});
  REQUIRE(ReasonOf(store->VerifyTables([](const KvTableCheck&) { return false; })) == "VERIFY_STOPPED");
}

TEST_CASE("purged values are in no file any more") {
  const TempFolder folder;
  auto store = OpenStore(folder.path());
  const std::string secret = "the secret of the store";
  const std::vector<std::string> prefixes = {"gone/"};
  Put(*store, Family::kDelta, "gone/log", secret);
  Put(*store, Family::kDelta, "kept", "kept value");
  Ingest(*store, Family::kDelta, "gone/table", secret);
  Ingest(*store, Family::kDelta, "later", secret);
  auto snapshot = store->Snapshot();
  KvBatch batch;
  batch.DeletePrefix(Family::kDelta, "gone/");
  batch.Delete(Family::kDelta, "later");
  REQUIRE(store->Write(batch).ok());
  REQUIRE(IsOnDisk(folder.path(), secret));

  SECTION("not while a snapshot needs them") {
    const auto purged = store->Purge(Family::kDelta, prefixes);
    REQUIRE(purged.ok());
    REQUIRE_FALSE(*purged);
    REQUIRE(store->Get(Family::kDelta, "gone/log", snapshot.get())->value_or("") == secret);
  }
  snapshot.reset();
  const std::vector<std::string> all = {"gone/", "later"};
  const auto purged = store->Purge(Family::kDelta, all);
  REQUIRE(purged.ok());
  REQUIRE(*purged);
  REQUIRE_FALSE(IsOnDisk(folder.path(), secret));
  REQUIRE(store->Get(Family::kDelta, "kept")->value_or("") == "kept value");
  store.reset();
  store = OpenStore(folder.path());
  REQUIRE(store->Get(Family::kDelta, "kept")->value_or("") == "kept value");
  REQUIRE_FALSE(store->Scan(Family::kDelta, "gone/")->Valid());
}

TEST_CASE("a cursor that is open keeps files, and a purge says so") {
  const TempFolder folder;
  auto store = OpenStore(folder.path());
  const std::string secret = "the secret of the store";
  Ingest(*store, Family::kColumns, "gone", secret);
  auto cursor = store->Scan(Family::kColumns, "gone");
  KvBatch batch;
  batch.Delete(Family::kColumns, "gone");
  REQUIRE(store->Write(batch).ok());
  const std::vector<std::string> prefixes = {"gone"};
  REQUIRE_FALSE(*store->Purge(Family::kColumns, prefixes));
  REQUIRE(cursor->value() == secret);
  cursor.reset();
  REQUIRE(*store->Purge(Family::kColumns, prefixes));
  REQUIRE_FALSE(IsOnDisk(folder.path(), secret));
}

TEST_CASE("cache and reservations stay within the memory together") {
  const TempFolder folder;
  KvOptions options;
  options.memory_bytes = 32 << 20;
  auto store = OpenStore(folder.path(), options);
  for (int i = 0; i < 20; ++i)
    Ingest(*store, Family::kColumns, fmt::format("k{}", i), std::string(2 << 20, static_cast<char>('a' + i)));
  const auto read_all = [&] {
    for (int i = 0; i < 20; ++i) REQUIRE(store->Get(Family::kColumns, fmt::format("k{}", i))->has_value());
    const KvMemory memory = store->memory();
    INFO("cache " << memory.cache << " reserved " << memory.reserved << " pinned " << memory.cache_pinned);
    REQUIRE(memory.capacity == options.memory_bytes);
    REQUIRE(memory.cache + memory.reserved <= memory.capacity);
  };
  read_all();
  REQUIRE(store->memory().cache > 16 << 20);
  auto eight = store->Reserve(8 << 20);
  REQUIRE(eight != nullptr);
  read_all();
  auto more = store->Reserve(5'000'000);
  REQUIRE(more != nullptr);
  REQUIRE(store->memory().reserved == (8 << 20) + 5'000'000);
  read_all();
  REQUIRE(store->Reserve(8 << 20) == nullptr);
  more.reset();
  eight.reset();
  REQUIRE(store->memory().reserved == 0);
  const auto huge = store->Reserve(100 << 20);  // alone it is granted, so that nothing waits for ever
  REQUIRE(huge != nullptr);
  REQUIRE(store->Reserve(1) == nullptr);
  REQUIRE(store->Get(Family::kColumns, "k0")->has_value());
}

TEST_CASE("memtables count as memory of the store") {
  const TempFolder folder;
  auto store = OpenStore(folder.path());
  const KvMemory before = store->memory();
  Put(*store, Family::kDelta, "k", std::string(4 << 20, 'd'));
  const KvMemory after = store->memory();
  REQUIRE(after.memtables >= before.memtables + (4 << 20));
  REQUIRE(after.cache >= before.cache + (4 << 20));
}

TEST_CASE("what was written out is in tables, and no log") {
  const TempFolder folder;
  const auto store = OpenStore(folder.path());
  Put(*store, Family::kCatalog, "a", "the value of a");
  REQUIRE(store->WriteOut().ok());
  for (const fs::path& log : FilesOf(folder.path(), ".log")) REQUIRE(fs::file_size(log) == 0);
  REQUIRE(IsOnDisk(folder.path(), "the value of a"));
}

TEST_CASE("statistics count what was done") {
  const TempFolder folder;
  auto store = OpenStore(folder.path());
  Put(*store, Family::kRows, "a", "1");
  Ingest(*store, Family::kColumns, "b", "2");
  REQUIRE(store->Get(Family::kColumns, "b")->has_value());
  const auto statistics = store->statistics();
  REQUIRE(statistics.at("wal_syncs") >= 1);
  REQUIRE(statistics.at("wal_bytes_written") > 0);
  REQUIRE(statistics.at("table_files") == 1);
  REQUIRE(statistics.at("block_cache_misses") >= 1);
  REQUIRE(statistics.at("running_compactions") == 0);
  REQUIRE(store->health().state == KvHealth::State::kOk);
  REQUIRE(store->Resume().ok());
}

}  // namespace
}  // namespace freqstore

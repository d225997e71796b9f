// What the store does when the disk is full or fails, and what is there afterwards.

#include <chrono>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "storage/base/status.h"
#include "storage/kv/kv_store.h"
#include "tests/fault/fault_control.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;
using testutil::FaultControl;
using testutil::TempFolder;

constexpr auto kPatience = std::chrono::seconds(30);

std::unique_ptr<KvStore> OpenStore(const fs::path& folder) {
  auto store = KvStore::Open(folder, {});
  INFO(store.status().ToString());
  REQUIRE(store.ok());
  return *std::move(store);
}

absl::Status Put(KvStore& store, const std::string& key) {
  KvBatch batch;
  batch.Put(Family::kRows, key, "value of " + key);
  batch.Put(Family::kDelta, key, std::string(5000, 'd'));
  return store.Write(batch);
}

absl::Status IngestTwo(KvStore& store, const std::string& key) {
  const std::string value(100'000, 'v');
  return store.Ingest(
      std::vector<SortedEntries>{{Family::kColumns, {{key, value}}}, {Family::kEnvelopes, {{key, "e"}}}});
}

/// All or nothing: both families have the key, or neither.
bool Has(KvStore& store, const std::string& key, Family first = Family::kRows,
         Family second = Family::kDelta) {
  const auto row = store.Get(first, key);
  const auto delta = store.Get(second, key);
  REQUIRE((row.ok() && delta.ok()));
  REQUIRE(row->has_value() == delta->has_value());
  return row->has_value();
}

bool HasIngested(KvStore& store, const std::string& key) {
  return Has(store, key, Family::kColumns, Family::kEnvelopes);
}

void WaitUntilWritable(KvStore& store) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!store.health().writable()) {
    INFO(store.health().cause.ToString());
    REQUIRE(std::chrono::steady_clock::now() < deadline);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// What a kill at this moment would leave.
void CopyAsIfKilled(const fs::path& store, const fs::path& copy) {
  fs::create_directories(copy);
  for (const auto& entry : fs::directory_iterator(store)) {
    if (entry.is_regular_file() && entry.path().filename() != "LOCK")
      fs::copy_file(entry.path(), copy / entry.path().filename());
  }
}

std::vector<fs::path> TableFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".sst") files.push_back(entry.path());
  }
  return files;
}

struct Case {
  const char* name;
  const char* fault;  ///< without the path
  const char* file;
  const char* reason;
};

TEST_CASE("a log that cannot be written: writes fail, reads go on, writes resume by themselves") {
  const Case c =
      GENERATE(Case{"full disk", "ENOSPC write 0 -1 ", ".log", "DISK_FULL"},
               Case{"quota", "EDQUOT write 0 -1 ", ".log", "DISK_FULL"},
               Case{"torn by a full disk", "ENOSPC tear 0 -1 ", ".log", "DISK_FULL"},
               Case{"write error", "EIO write 0 -1 ", ".log", "STORE_READ_ONLY"},
               Case{"torn write", "EIO tear 0 -1 ", ".log", "STORE_READ_ONLY"},
               Case{"failed sync", "EIO sync 0 -1 ", ".log", "STORE_READ_ONLY"},
               Case{"failed sync, once", "EIO sync 0 1 ", ".log", "STORE_READ_ONLY"},
               Case{"read-only file system", "EROFS write,open 0 -1 ", "", "STORE_READ_ONLY"},
               Case{"everything fails", "EIO write,sync,open,rename 0 -1 ", "", "STORE_READ_ONLY"});
  const bool fresh = GENERATE(true, false);  // memtables are empty, or not
  INFO(c.name << ", memtables empty: " << fresh);
  const TempFolder folder;
  const fs::path place = folder.path() / "store";
  const FaultControl faults;
  {
    auto store = OpenStore(place);
    REQUIRE(Put(*store, "before").ok());
    REQUIRE(IngestTwo(*store, "ingested").ok());
  }
  auto store = OpenStore(place);
  if (!fresh) REQUIRE(Put(*store, "before too").ok());

  faults.Set(c.fault + (place / "").string() + "\n");
  const absl::Status failed = Put(*store, "failed");
  INFO(failed.ToString());
  REQUIRE(ReasonOf(failed) == c.reason);
  REQUIRE(Has(*store, "before"));
  REQUIRE(HasIngested(*store, "ingested"));
  REQUIRE_FALSE(Has(*store, "failed"));
  CopyAsIfKilled(place, folder.path() / "killed");

  faults.Clear();
  WaitUntilWritable(*store);
  REQUIRE(Put(*store, "after").ok());
  REQUIRE(IngestTwo(*store, "ingested after").ok());
  REQUIRE_FALSE(Has(*store, "failed"));
  CopyAsIfKilled(place, folder.path() / "killed after");
  store.reset();

  for (const fs::path& then : {place, folder.path() / "killed", folder.path() / "killed after"}) {
    INFO(then);
    auto reopened = OpenStore(then);
    REQUIRE(Has(*reopened, "before"));
    REQUIRE(Has(*reopened, "before too") == !fresh);
    REQUIRE(HasIngested(*reopened, "ingested"));
    REQUIRE_FALSE(Has(*reopened, "failed"));
    const bool later = then.filename() != "killed";
    REQUIRE(Has(*reopened, "after") == later);
    REQUIRE(HasIngested(*reopened, "ingested after") == later);
  }
}

TEST_CASE("a MANIFEST or table that cannot be written fails the ingestion alone, and leaves no file") {
  const Case c = GENERATE(Case{"table, full disk", "ENOSPC write 0 -1 ", "ingest/", "DISK_FULL"},
                          Case{"table, failed sync", "EIO sync 0 -1 ", "ingest/", "STORE_IO_ERROR"},
                          Case{"MANIFEST, full disk", "ENOSPC write 0 -1 ", "MANIFEST", "DISK_FULL"},
                          Case{"MANIFEST, torn", "EIO tear 0 -1 ", "MANIFEST", "STORE_IO_ERROR"},
                          Case{"MANIFEST, failed sync", "EIO sync 0 -1 ", "MANIFEST", "STORE_IO_ERROR"});
  INFO(c.name);
  const TempFolder folder;
  const fs::path place = folder.path() / "store";
  const FaultControl faults;
  auto store = OpenStore(place);
  REQUIRE(Put(*store, "before").ok());
  REQUIRE(IngestTwo(*store, "ingested").ok());
  const size_t tables = TableFiles(place).size();

  faults.Set(c.fault + (place / c.file).string() + "\n");
  const absl::Status failed = IngestTwo(*store, "failed");
  INFO(failed.ToString());
  REQUIRE(ReasonOf(failed) == c.reason);
  REQUIRE_FALSE(HasIngested(*store, "failed"));
  REQUIRE(HasIngested(*store, "ingested"));
  REQUIRE(TableFiles(place).size() == tables);
  CopyAsIfKilled(place, folder.path() / "killed");

  faults.Clear();
  WaitUntilWritable(*store);
  REQUIRE(IngestTwo(*store, "failed").ok());
  REQUIRE(Put(*store, "after").ok());
  store.reset();
  auto killed = OpenStore(folder.path() / "killed");
  REQUIRE_FALSE(HasIngested(*killed, "failed"));
  REQUIRE(Has(*killed, "before"));
  store = OpenStore(place);
  REQUIRE(HasIngested(*store, "failed"));
  REQUIRE(Has(*store, "before"));
  REQUIRE(Has(*store, "after"));
}

TEST_CASE("memtables that cannot be written out are not lost") {
  const char* const fault = GENERATE("ENOSPC write 0 -1 ", "EIO write 0 -1 ", "EIO sync 0 -1 ");
  INFO(fault);
  const TempFolder folder;
  const FaultControl faults;
  auto store = OpenStore(folder.path());
  REQUIRE(Put(*store, "before").ok());
  faults.Set(fault + folder.path().string() + "/0\n");
  const std::vector<std::string> prefixes = {"b"};
  REQUIRE_FALSE(store->Purge(Family::kRows, prefixes).ok());  // writes out all memtables
  REQUIRE_FALSE(store->health().writable());
  REQUIRE_FALSE(store->Resume().ok());
  REQUIRE_FALSE(Put(*store, "refused").ok());
  REQUIRE(Has(*store, "before"));

  faults.Clear();
  WaitUntilWritable(*store);
  REQUIRE(store->Resume().ok());
  REQUIRE(Put(*store, "after").ok());
  store.reset();
  store = OpenStore(folder.path());
  REQUIRE(Has(*store, "before"));
  REQUIRE_FALSE(Has(*store, "refused"));
  REQUIRE(Has(*store, "after"));
}

TEST_CASE("a store that keeps failing and recovering loses nothing that was acknowledged") {
  const TempFolder folder;
  const FaultControl faults;
  auto store = OpenStore(folder.path());
  std::vector<std::string> acknowledged;
  std::vector<std::string> refused;
  for (int round = 0; round < 12; ++round) {
    faults.Set((round % 3 == 0   ? "EIO sync "
                : round % 3 == 1 ? "ENOSPC write "
                                 : "EIO tear ") +
               std::to_string(round) + " 2 " + folder.path().string() + "\n");
    for (int i = 0; i < 20; ++i) {
      const std::string key = std::to_string(round) + "/" + std::to_string(i);
      (Put(*store, key).ok() ? acknowledged : refused).push_back(key);
    }
    WaitUntilWritable(*store);
  }
  REQUIRE_FALSE(refused.empty());
  faults.Clear();
  for (int opening = 0; opening < 2; ++opening) {
    for (const std::string& key : acknowledged) REQUIRE(Has(*store, key));
    for (const std::string& key : refused) REQUIRE_FALSE(Has(*store, key));
    store.reset();
    store = OpenStore(folder.path());
  }
}

TEST_CASE("below the reserve writes are refused and deletions are not") {
  const TempFolder folder;
  {
    auto store = OpenStore(folder.path());
    REQUIRE(Put(*store, "before").ok());
  }
  KvOptions options;
  options.free_bytes_min = uint64_t{1} << 60;
  auto store = *KvStore::Open(folder.path(), options);
  REQUIRE(store->health().state == KvHealth::State::kDiskFull);
  REQUIRE(ReasonOf(Put(*store, "refused")) == "DISK_FULL");
  REQUIRE(ReasonOf(IngestTwo(*store, "refused")) == "DISK_FULL");
  REQUIRE(Has(*store, "before"));
  KvBatch deletion;
  deletion.DeletePrefix(Family::kRows, "before");
  deletion.DeletePrefix(Family::kDelta, "before");
  REQUIRE(store->Write(deletion).ok());
  KvBatch marked;
  marked.Put(Family::kCatalog, "deleted", "");
  REQUIRE(ReasonOf(store->Write(marked)) == "DISK_FULL");
  marked.set_frees_space();
  REQUIRE(store->Write(marked).ok());
  REQUIRE_FALSE(Has(*store, "before"));
}

}  // namespace
}  // namespace freqstore

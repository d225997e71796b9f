// Logs that are cut and files that have a wrong bit: never wrong bytes, never a silent loss.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include <catch2/catch_test_macros.hpp>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/kv/kv_store.h"
#include "tests/testutil/files.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;
using testutil::FilesOf;
using testutil::ReadFile;
using testutil::TempFolder;
using Content = std::map<std::string, std::string>;

constexpr Family kFamilies[] = {Family::kCatalog, Family::kDelta, Family::kColumns, Family::kRows};

void WriteFile(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void CopyStore(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.is_regular_file()) fs::copy_file(entry.path(), to / entry.path().filename());
  }
}

std::string ValueOf(const std::string& key, size_t bytes) {
  std::string value;
  while (value.size() < bytes) value += key + "=";
  return value.substr(0, bytes);
}

/// Writes one batch, with a key in two families.
void Put(KvStore& store, const std::string& key, size_t bytes) {
  KvBatch batch;
  batch.Put(Family::kRows, key, ValueOf(key, bytes));
  batch.Put(Family::kDelta, key, ValueOf(key, bytes));
  REQUIRE(store.Write(batch).ok());
}

bool HasWhole(KvStore& store, const std::string& key, size_t bytes) {
  const auto row = store.Get(Family::kRows, key);
  const auto delta = store.Get(Family::kDelta, key);
  REQUIRE((row.ok() && delta.ok()));
  REQUIRE(row->has_value() == delta->has_value());
  if (row->has_value()) REQUIRE((**row == ValueOf(key, bytes) && **delta == ValueOf(key, bytes)));
  return row->has_value();
}

/// A store with `early` records and then one more, "last", as it lies on disk while it is open.
struct StoreWithLast {
  StoreWithLast(int early, size_t value_bytes) {
    const fs::path place = folder.path() / "store";
    const auto store = *KvStore::Open(place, {});
    for (int i = 0; i < early; ++i) Put(*store, fmt::format("early {}", i), value_bytes);
    const fs::path path = FilesOf(place, ".log").back();
    log = path.filename();
    before = fs::file_size(path);
    Put(*store, "last", value_bytes);
    CopyStore(place, folder.path() / "whole");
    bytes = ReadFile(folder.path() / "whole" / log);
  }

  /// The folder of a copy with other bytes in its log; the next call takes its place.
  fs::path CopyWith(std::string_view content) const {
    fs::path copy = folder.path() / "copy";
    CopyStore(folder.path() / "whole", copy);
    WriteFile(copy / log, content);
    return copy;
  }

  TempFolder folder;
  fs::path log;
  size_t before = 0;  ///< where the last record begins
  std::string bytes;  ///< of the log
};

TEST_CASE("a log cut at any byte of its last record: that record is there or not, all else is") {
  constexpr size_t kBytes = 60;
  const StoreWithLast whole(5, kBytes);
  REQUIRE(whole.bytes.size() > whole.before + 2 * kBytes);
  for (size_t size = whole.before; size <= whole.bytes.size(); ++size) {
    INFO(size << " of " << whole.bytes.size() << ", last record from " << whole.before);
    auto store = KvStore::Open(whole.CopyWith(std::string_view(whole.bytes).substr(0, size)), {});
    INFO(store.status().ToString());
    REQUIRE(store.ok());
    for (int i = 0; i < 5; ++i) REQUIRE(HasWhole(**store, fmt::format("early {}", i), kBytes));
    REQUIRE(HasWhole(**store, "last", kBytes) == (size == whole.bytes.size()));
  }
}

TEST_CASE("a record over several blocks, cut at their bounds or zeroed in part, is there or not") {
  constexpr size_t kBytes = 50'000;
  const StoreWithLast whole(1, kBytes);
  const auto check = [&](std::string_view content) {
    auto store = KvStore::Open(whole.CopyWith(content), {});
    INFO(store.status().ToString());
    REQUIRE(store.ok());
    REQUIRE(HasWhole(**store, "early 0", kBytes));
    REQUIRE_FALSE(HasWhole(**store, "last", kBytes));
  };
  for (size_t bound = 32768; bound < whole.bytes.size(); bound += 32768) {
    for (size_t size = bound - 8; size <= bound + 8; ++size) {
      if (size > whole.before) check(std::string_view(whole.bytes).substr(0, size));
    }
    // Blocks of an unsynced record may reach the disk in any order.
    if (bound < whole.before) continue;
    std::string zeroed = whole.bytes;
    std::fill_n(zeroed.begin() + static_cast<ptrdiff_t>(bound),
                std::min<size_t>(4096, whole.bytes.size() - bound), '\0');
    check(zeroed);
  }
}

TEST_CASE("a wrong bit in a log, before its last record, is not taken for the log's end") {
  constexpr size_t kBytes = 200;
  const StoreWithLast whole(5, kBytes);
  for (size_t at = 0; at < whole.bytes.size(); at += 11) {
    INFO("byte " << at << ", last record from " << whole.before);
    std::string wrong = whole.bytes;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x10);
    const auto store = KvStore::Open(whole.CopyWith(wrong), {});
    if (at < whole.before) {
      REQUIRE(ReasonOf(store.status()) == "STORE_CORRUPT");
    } else {
      REQUIRE(store.ok());
      REQUIRE_FALSE(HasWhole(**store, "last", kBytes));
      for (int i = 0; i < 5; ++i) REQUIRE(HasWhole(**store, fmt::format("early {}", i), kBytes));
    }
  }
}

/// Everything in the store, or the first error.
absl::StatusOr<Content> ReadAll(KvStore& store) {
  Content content;
  for (const Family family : kFamilies) {
    const auto cursor = store.Scan(family, "");
    for (; cursor->Valid(); cursor->Next())
      content[fmt::format("{}/{}", static_cast<int>(family), cursor->key())] = cursor->value();
    RETURN_IF_ERROR(cursor->status());
  }
  return content;
}

std::vector<std::string> DamagedTables(KvStore& store) {
  std::vector<std::string> damaged;
  REQUIRE(store
              .VerifyTables([&](const KvTableCheck& check) {
                if (!check.status.ok()) damaged.push_back(check.file);
                return true;
              })
              .ok());
  return damaged;
}

TEST_CASE("a wrong bit in a table is found and named, and never read as data") {
  const TempFolder folder;
  const fs::path place = folder.path() / "store";
  Content expected;
  {
    auto store = *KvStore::Open(place, {});
    for (int i = 0; i < 3; ++i) {
      const std::string key = fmt::format("image {}", i);
      Put(*store, key, 3000);
      const std::string value = ValueOf(key, 20'000);
      REQUIRE(store->Ingest(std::vector<SortedEntries>{{Family::kColumns, {{key, value}}}}).ok());
    }
    REQUIRE(store->WriteOut().ok());
    expected = *ReadAll(*store);
  }
  REQUIRE(expected.size() == 9);
  const std::vector<fs::path> tables = FilesOf(place, ".sst");
  REQUIRE(tables.size() >= 5);
  const fs::path damaged = folder.path() / "damaged";
  size_t noticed_by_reading = 0;
  for (const fs::path& table : tables) {
    const std::string bytes = ReadFile(table);
    for (size_t part = 0; part < 24; ++part) {
      const size_t at = part < 16 ? part * bytes.size() / 16 : bytes.size() - 1 - (part - 16) * 9;
      INFO(table.filename() << " byte " << at << " of " << bytes.size());
      CopyStore(place, damaged);
      std::string wrong = bytes;
      wrong[at] = static_cast<char>(wrong[at] ^ (1 << part % 8));
      WriteFile(damaged / table.filename(), wrong);
      auto store = KvStore::Open(damaged, {});
      if (!store.ok()) {
        REQUIRE(ReasonOf(store.status()) == "STORE_CORRUPT");
        continue;
      }
      const auto content = ReadAll(**store);
      if (content.ok()) {
        REQUIRE(*content == expected);
      } else {
        ++noticed_by_reading;
        REQUIRE(content.status().code() == absl::StatusCode::kDataLoss);
      }
      REQUIRE(DamagedTables(**store) == std::vector<std::string>{table.filename()});
    }
  }
  REQUIRE(noticed_by_reading > 0);
}

}  // namespace
}  // namespace freqstore

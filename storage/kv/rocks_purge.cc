#include "storage/kv/rocks_purge.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>
#include <thread>

#include "storage/base/status.h"
#include "storage/kv/kv_store.h"
#include "storage/kv/rocks_status.h"
#include "storage/kv/rocks_tables.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;

// Files are deleted by background threads, some moments after they became obsolete.
constexpr auto kDeletionWait = std::chrono::milliseconds(20);
constexpr int kDeletionWaits = 50;

/// Whether a table's bounds leave room for keys with the prefix.
bool MayHold(const rocksdb::SstFileMetaData& table, const std::string& prefix) {
  const std::string end = PrefixEnd(prefix);
  return table.largestkey >= prefix && (end.empty() || table.smallestkey < end);
}

fs::path PathOf(const fs::path& folder, const rocksdb::LiveFileMetaData& table) {
  return folder / table.name.substr(1);  // RocksDB's names begin with a slash
}

std::set<fs::path> TablesWith(rocksdb::DB& db, const fs::path& folder, rocksdb::ColumnFamilyHandle* family,
                              std::span<const std::string> prefixes) {
  std::set<fs::path> found;
  for (const rocksdb::LiveFileMetaData& table : LiveTables(db)) {
    if (table.column_family_name == family->GetName() &&
        std::any_of(prefixes.begin(), prefixes.end(),
                    [&](const std::string& prefix) { return MayHold(table, prefix); })) {
      found.insert(PathOf(folder, table));
    }
  }
  return found;
}

std::set<fs::path> FilesOf(const fs::path& folder, std::string_view extension) {
  std::set<fs::path> files;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().extension() == extension) files.insert(entry->path());
  }
  return files;
}

/// Files that must go: `replaced`, and of `tables` those that are not part of the store any more, which some
/// earlier compaction replaced while they were being read.
bool AllGo(rocksdb::DB& db, const fs::path& folder, const std::set<fs::path>& replaced,
           std::set<fs::path> tables) {
  for (int waits = 0;; ++waits) {
    for (const rocksdb::LiveFileMetaData& table : LiveTables(db)) tables.erase(PathOf(folder, table));
    const auto exists = [](const fs::path& file) { return fs::exists(file); };
    if (std::none_of(replaced.begin(), replaced.end(), exists) &&
        std::none_of(tables.begin(), tables.end(), exists)) {
      return true;
    }
    if (waits == kDeletionWaits) return false;
    std::this_thread::sleep_for(kDeletionWait);
  }
}

/// Whether some reader may still need what was deleted before `sequence`.
bool HasOlderSnapshot(rocksdb::DB& db, uint64_t sequence) {
  uint64_t oldest = 0;
  db.GetIntProperty(rocksdb::DB::Properties::kOldestSnapshotSequence, &oldest);
  return oldest != 0 && oldest < sequence;
}

rocksdb::Status Rewrite(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family, const std::string& prefix) {
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  // Also the last level: a former snapshot may have kept values there after their deletion was compacted. And
  // also tables that this very compaction made, as another one may have made some of them meanwhile.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  const std::string end = PrefixEnd(prefix);
  const rocksdb::Slice begin_slice = ToSlice(prefix);
  const rocksdb::Slice end_slice = ToSlice(end);
  return db.CompactRange(options, family, &begin_slice, end.empty() ? nullptr : &end_slice);
}

}  // namespace

// Every table that may hold the keys is rewritten into new ones, which leave out what no reader can see. So
// all that was there before must be gone in the end; that it is, is the proof.
absl::StatusOr<bool> PurgePrefixes(rocksdb::DB& db, const fs::path& folder,
                                   const std::vector<rocksdb::ColumnFamilyHandle*>& families,
                                   rocksdb::ColumnFamilyHandle* family,
                                   std::span<const std::string> prefixes) {
  const uint64_t sequence = db.GetLatestSequenceNumber();
  std::set<fs::path> replaced = FilesOf(folder, ".log");
  RETURN_IF_ERROR(FromRocks(db.Flush(rocksdb::FlushOptions(), families)));
  const std::set<fs::path> tables = FilesOf(folder, ".sst");
  replaced.merge(TablesWith(db, folder, family, prefixes));
  if (HasOlderSnapshot(db, sequence)) return false;
  for (const std::string& prefix : prefixes) RETURN_IF_ERROR(FromRocks(Rewrite(db, family, prefix)));
  return AllGo(db, folder, replaced, tables);
}

}  // namespace freqstore

// Bulk data by way of table files of our own making.
#pragma once

#include <atomic>
#include <filesystem>
#include <span>

#include <rocksdb/db.h>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// RocksDB's handle of a family.
using HandleOf = absl::FunctionRef<rocksdb::ColumnFamilyHandle*(Family)>;

/// Builds tables in a folder beside the store's, on the same file system. Thread-safe.
class RocksIngest {
 public:
  explicit RocksIngest(std::filesystem::path folder);

  /// Empties the folder: what a crash left there was never part of the store.
  absl::Status Prepare();

  /// Writes and syncs one table a run and adds all of them to the store at once. The error of building one is
  /// RocksDB's own; no file is left behind.
  rocksdb::Status Ingest(rocksdb::DB& db, HandleOf handle_of, std::span<const SortedEntries> runs);

 private:
  const std::filesystem::path folder_;
  std::atomic<uint64_t> next_file_{0};
};

}  // namespace freqstore

// Deleted data that is provably gone from the store's files.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <rocksdb/db.h>

#include "absl/status/statusor.h"

namespace freqstore {

/// See KvStore::Purge(). The last write must have gone to RocksDB's own family, so that there is a memtable
/// with which the log is replaced. `families` are all families of the store, RocksDB's own too: a log goes
/// only when none of them needs it.
absl::StatusOr<bool> PurgePrefixes(rocksdb::DB& db, const std::filesystem::path& folder,
                                   const std::vector<rocksdb::ColumnFamilyHandle*>& families,
                                   rocksdb::ColumnFamilyHandle* family,
                                   std::span<const std::string> prefixes);

}  // namespace freqstore

// Counters of RocksDB under names of our own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <rocksdb/db.h>
#include <rocksdb/statistics.h>

namespace freqstore {

/// See KvStore::statistics(). `families` are all whose present state counts.
std::map<std::string, uint64_t> StoreStatistics(rocksdb::DB& db, const rocksdb::Statistics& statistics,
                                                const std::vector<rocksdb::ColumnFamilyHandle*>& families);

}  // namespace freqstore

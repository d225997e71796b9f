// RocksDB's settings, each chosen on purpose.
#pragma once

#include <memory>
#include <vector>

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/write_buffer_manager.h>

#include "storage/kv/kv_store.h"

namespace freqstore {

/// How often RocksDB tries again to take writes.
inline constexpr int64_t kResumeIntervalMicros = 500'000;

/// Settings of the whole store. Listeners and the file system are the caller's to add.
rocksdb::DBOptions StoreOptions(const KvOptions& options,
                                std::shared_ptr<rocksdb::WriteBufferManager> write_buffers);

/// Settings of one family.
rocksdb::ColumnFamilyOptions FamilyOptions(Family family, const KvOptions& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache);

/// RocksDB's own default family, which it insists on, and ours in their order.
std::vector<rocksdb::ColumnFamilyDescriptor> AllFamilies(const KvOptions& options,
                                                         const std::shared_ptr<rocksdb::Cache>& cache);

/// Settings of every write that is acknowledged.
rocksdb::WriteOptions DurableWrite();

}  // namespace freqstore

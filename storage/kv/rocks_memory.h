// The store's memory: one cache that blocks, memtables and other people's buffers share.
#pragma once

#include <cstdint>
#include <memory>

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/write_buffer_manager.h>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "storage/base/byte_budget.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// Thread-safe.
class RocksMemory {
 public:
  explicit RocksMemory(const KvOptions& options);

  const std::shared_ptr<rocksdb::Cache>& cache() const { return cache_; }
  const std::shared_ptr<rocksdb::WriteBufferManager>& write_buffers() const { return write_buffers_; }

  /// See KvStore::Reserve().
  std::unique_ptr<KvReservation> Reserve(uint64_t bytes);

  KvMemory Usage(rocksdb::DB& db) const;

 private:
  class Reservation;
  void FitCache();

  const uint64_t capacity_bytes_;
  const std::shared_ptr<rocksdb::Cache> cache_;
  const std::shared_ptr<rocksdb::WriteBufferManager> write_buffers_;
  ByteBudget reserved_;
  absl::Mutex mutex_;
  uint64_t fitted_bytes_ ABSL_GUARDED_BY(mutex_) = 0;  ///< what the cache was shrunk by
};

}  // namespace freqstore

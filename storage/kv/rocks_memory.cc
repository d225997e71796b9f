#include "storage/kv/rocks_memory.h"

#include <algorithm>
#include <vector>

namespace freqstore {
namespace {

// Resizing the cache locks all its shards: not for every kilobyte.
constexpr uint64_t kReservationStep = uint64_t{1} << 20;

/// A shard holds at least 32 MiB, as one value may take some MiB and must not push out a whole shard.
int ShardBits(uint64_t bytes) {
  int bits = 0;
  while (bits < 6 && (bytes >> bits) > (uint64_t{64} << 20)) ++bits;
  return bits;
}

std::shared_ptr<rocksdb::Cache> MakeCache(uint64_t bytes) {
  rocksdb::LRUCacheOptions options;
  options.capacity = bytes;
  options.num_shard_bits = ShardBits(bytes);
  // Not strict: with a strict limit a read would fail when memtables and values in use fill the cache. What
  // grows with the load is bounded by Reserve() instead, which refuses.
  options.strict_capacity_limit = false;
  // For indexes and filters; the rest is for data.
  options.high_pri_pool_ratio = 0.25;
  return rocksdb::NewLRUCache(options);
}

}  // namespace

class RocksMemory::Reservation final : public KvReservation {
 public:
  Reservation(RocksMemory* memory, BudgetHold hold) : memory_(memory), hold_(std::move(hold)) {}
  ~Reservation() override {
    hold_ = BudgetHold();
    memory_->FitCache();
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

 private:
  RocksMemory* memory_;
  BudgetHold hold_;
};

// A quarter for memtables, a quarter that the cache keeps, so at most half for others.
RocksMemory::RocksMemory(const KvOptions& options)
    : capacity_bytes_(options.memory_bytes),
      cache_(MakeCache(options.memory_bytes)),
      write_buffers_(std::make_shared<rocksdb::WriteBufferManager>(
          std::max<size_t>(options.memory_bytes / 4, 64 << 10), cache_)),
      reserved_(options.memory_bytes / 2) {}

std::unique_ptr<KvReservation> RocksMemory::Reserve(uint64_t bytes) {
  if (!reserved_.TryAcquire(bytes)) return nullptr;
  auto reservation = std::make_unique<Reservation>(this, BudgetHold(&reserved_, bytes));
  FitCache();
  return reservation;
}

void RocksMemory::FitCache() {
  absl::MutexLock lock(&mutex_);
  const uint64_t steps = (reserved_.held_bytes() + kReservationStep - 1) / kReservationStep;
  const uint64_t bytes = std::min(steps * kReservationStep, capacity_bytes_);
  if (bytes == fitted_bytes_) return;
  fitted_bytes_ = bytes;
  cache_->SetCapacity(capacity_bytes_ - bytes);
}

KvMemory RocksMemory::Usage(rocksdb::DB& db) const {
  KvMemory memory;
  memory.capacity = capacity_bytes_;
  memory.reserved = reserved_.held_bytes();
  memory.cache = cache_->GetUsage();
  memory.cache_pinned = cache_->GetPinnedUsage();
  memory.memtables = write_buffers_->memory_usage();
  db.GetAggregatedIntProperty(rocksdb::DB::Properties::kEstimateTableReadersMem, &memory.table_readers);
  return memory;
}

}  // namespace freqstore

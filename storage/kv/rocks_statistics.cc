#include "storage/kv/rocks_statistics.h"

namespace freqstore {
namespace {

struct Counter {
  const char* name;
  rocksdb::Tickers ticker;
};

// Totals since the store was opened.
constexpr Counter kCounters[] = {
    {"wal_syncs", rocksdb::WAL_FILE_SYNCED},
    {"wal_bytes_written", rocksdb::WAL_FILE_BYTES},
    {"keys_written", rocksdb::NUMBER_KEYS_WRITTEN},
    {"block_cache_hits", rocksdb::BLOCK_CACHE_HIT},
    {"block_cache_misses", rocksdb::BLOCK_CACHE_MISS},
    {"block_cache_bytes_read", rocksdb::BLOCK_CACHE_BYTES_READ},
    {"filter_useful", rocksdb::BLOOM_FILTER_USEFUL},
    {"flush_bytes_written", rocksdb::FLUSH_WRITE_BYTES},
    {"compaction_bytes_read", rocksdb::COMPACT_READ_BYTES},
    {"compaction_bytes_written", rocksdb::COMPACT_WRITE_BYTES},
    {"stall_micros", rocksdb::STALL_MICROS},
    {"table_opens", rocksdb::NO_FILE_OPENS},
    {"table_errors", rocksdb::NO_FILE_ERRORS},
    {"background_errors", rocksdb::ERROR_HANDLER_BG_ERROR_COUNT},
};

struct Timing {
  const char* name;  ///< average of the times since the store was opened
  rocksdb::Histograms histogram;
};

constexpr Timing kTimings[] = {
    {"wal_sync_micros_mean", rocksdb::WAL_FILE_SYNC_MICROS},
    {"write_micros_mean", rocksdb::DB_WRITE},
    {"table_sync_micros_mean", rocksdb::TABLE_SYNC_MICROS},
    {"manifest_sync_micros_mean", rocksdb::MANIFEST_FILE_SYNC_MICROS},
};

struct Present {
  const char* name;
  const std::string* property;  ///< summed over the families
};

const Present kPresent[] = {
    {"memtable_bytes", &rocksdb::DB::Properties::kCurSizeAllMemTables},
    {"table_bytes", &rocksdb::DB::Properties::kTotalSstFilesSize},
    {"live_data_bytes", &rocksdb::DB::Properties::kEstimateLiveDataSize},
    {"pending_compaction_bytes", &rocksdb::DB::Properties::kEstimatePendingCompactionBytes},
};

const Present kPresentOfStore[] = {
    {"running_compactions", &rocksdb::DB::Properties::kNumRunningCompactions},
    {"running_flushes", &rocksdb::DB::Properties::kNumRunningFlushes},
    {"snapshots", &rocksdb::DB::Properties::kNumSnapshots},
    {"write_stopped", &rocksdb::DB::Properties::kIsWriteStopped},
    {"delayed_write_bytes_per_second", &rocksdb::DB::Properties::kActualDelayedWriteRate},
};

}  // namespace

std::map<std::string, uint64_t> StoreStatistics(rocksdb::DB& db, const rocksdb::Statistics& statistics,
                                                const std::vector<rocksdb::ColumnFamilyHandle*>& families) {
  std::map<std::string, uint64_t> values;
  for (const Counter& counter : kCounters) values[counter.name] = statistics.getTickerCount(counter.ticker);
  for (const Timing& timing : kTimings) {
    rocksdb::HistogramData data;
    statistics.histogramData(timing.histogram, &data);
    values[timing.name] = static_cast<uint64_t>(data.average);
  }
  for (const Present& present : kPresent) {
    for (rocksdb::ColumnFamilyHandle* family : families) {
      uint64_t value = 0;
      db.GetIntProperty(family, *present.property, &value);
      values[present.name] += value;
    }
  }
  for (const Present& present : kPresentOfStore) {
    uint64_t& value = values[present.name];
    db.GetIntProperty(*present.property, &value);
  }
  std::vector<rocksdb::LiveFileMetaData> tables;
  db.GetLiveFilesMetaData(&tables);
  values["table_files"] = tables.size();
  return values;
}

}  // namespace freqstore

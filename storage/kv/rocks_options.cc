#include "storage/kv/rocks_options.h"

#include <algorithm>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include <rocksdb/file_checksum.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <sys/resource.h>

namespace freqstore {
namespace {

/// Half of what the process may open: the rest is for connections, logs and tables being written.
int OpenFilesMax() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 512;
  return static_cast<int>(std::clamp<rlim_t>(limit.rlim_cur / 2, 128, 8192));
}

bool IsIngested(Family family) {
  return family == Family::kColumns || family == Family::kEnvelopes;
}

std::shared_ptr<rocksdb::TableFactory> TableFactory(Family family,
                                                    const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  // Detects any small damage, and is the fastest there is on this format.
  table.checksum = rocksdb::kXXH3;
  table.format_version = 5;
  // Indexes and filters of 10,000 tables would grow beside the budget; in the cache they are within it,
  // before data, and those of young tables stay.
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  switch (family) {
    case Family::kCatalog:
    case Family::kAttributes:
      // Few keys, asked for by name: a small filter spares most reads of tables without the key.
      table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(8));
      break;
    case Family::kDelta:
    case Family::kResults:
      break;
    case Family::kColumns:
    case Family::kEnvelopes:
      // Values are far larger than a block and already compressed: one value a block, nothing to gain from a
      // filter.
      table.block_size = 64 << 10;
      break;
    case Family::kRows:
      // Every import asks whether an id exists, and mostly it does not.
      table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
      break;
  }
  return std::shared_ptr<rocksdb::TableFactory>(rocksdb::NewBlockBasedTableFactory(table));
}

void SetSafety(rocksdb::DBOptions& options) {
  // Stops writes at the first sign that memory or disk disagree with what was written.
  options.paranoid_checks = true;
  // An acknowledged write was synced, and one record at most is written at a time: what is torn at the end of
  // the log was never acknowledged, and opening drops it. Damage before the last record is refused before
  // RocksDB sees the log (see log_check.h), as this mode would drop all that follows it.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  // A recycled log keeps old records behind the new ones: they would look like acknowledged ones, and a purge
  // could not promise that they are gone.
  options.recycle_log_file_num = 0;
  // One checksum over each table file, kept in the MANIFEST: finds a file that was exchanged or cut as a
  // whole.
  options.file_checksum_gen_factory = rocksdb::GetFileChecksumGenCrc32cFactory();
  // After an error that may pass (see rocks_file_system.h).
  options.max_bgerror_resume_count = std::numeric_limits<int>::max();
  options.bgerror_resume_retry_interval = kResumeIntervalMicros;
  // A mapped page that cannot be read is a signal, not an error.
  options.allow_mmap_reads = false;
  options.allow_mmap_writes = false;
  // All writes are in the log. What is only in memory (the probe after an error) is not worth a flush.
  options.avoid_flush_during_shutdown = true;
}

void SetOpening(rocksdb::DBOptions& options) {
  // Limited, so that opening does not open every table: with -1 it would, 10,000 of them.
  options.max_open_files = OpenFilesMax();
  options.max_file_opening_threads = 16;
  // Reads the properties of tables for compaction scores, which data that is ingested in place does not need.
  options.skip_stats_update_on_db_open = true;
  // One listing of the folder instead of a stat a table; a file that is missing is still noticed. One that
  // was cut is found when it is read: it costs its own data, not the whole store.
  options.skip_checking_sst_file_sizes_on_db_open = true;
}

void SetFilesAndJobs(const KvOptions& store, rocksdb::DBOptions& options) {
  options.max_background_jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2U, 4U));
  // Bounds what opening has to replay, and how long a deleted row lives on in a log of a busy neighbour.
  options.max_total_wal_size = 4 * store.write_buffer_bytes;
  // Dirty pages go out steadily instead of in one burst at the end of a table, which the log's sync would
  // wait for.
  options.bytes_per_sync = 1 << 20;
  // Compactions read whole tables: large reads suit spinning and network disks, and do no harm on others.
  options.compaction_readahead_size = 2 << 20;
  // Rewritten, not appended to, once it is large: it names the bounds of tables that are long gone.
  options.max_manifest_file_size = 16 << 20;
  options.keep_log_file_num = 4;
  options.max_log_file_size = 4 << 20;
  options.info_log_level = rocksdb::WARN_LEVEL;
}

}  // namespace

rocksdb::DBOptions StoreOptions(const KvOptions& options,
                                std::shared_ptr<rocksdb::WriteBufferManager> write_buffers) {
  rocksdb::DBOptions db;
  db.create_if_missing = options.create_if_missing;
  db.create_missing_column_families = true;
  db.write_buffer_manager = std::move(write_buffers);
  db.statistics = rocksdb::CreateDBStatistics();
  db.statistics->set_stats_level(rocksdb::StatsLevel::kExceptDetailedTimers);
  SetSafety(db);
  SetOpening(db);
  SetFilesAndJobs(options, db);
  return db;
}

rocksdb::ColumnFamilyOptions FamilyOptions(Family family, const KvOptions& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions result;
  result.table_factory = TableFactory(family, cache);
  // What is large is compressed before it comes here.
  result.compression = rocksdb::kNoCompression;
  // Levels, not universal: ingested tables lie side by side on the last level and are never touched again,
  // and the small families are read far more often than written.
  result.compaction_style = rocksdb::kCompactionStyleLevel;
  result.level_compaction_dynamic_level_bytes = true;
  // Tables are not rewritten for their age.
  result.ttl = 0;
  result.periodic_compaction_seconds = 0;
  // Columns and envelopes get only deletions by way of memory: little is enough.
  result.write_buffer_size = IsIngested(family) ? std::min<size_t>(options.write_buffer_bytes, 1 << 20)
                                                : static_cast<size_t>(options.write_buffer_bytes);
  // A segment's table is 25 to 100 MB; compaction shall not cut it to pieces.
  if (IsIngested(family)) result.target_file_size_base = 128 << 20;
  // Writers are slowed down, never stopped: a compaction that cannot run, on a disk that is full, would hang
  // all of them. Debt of a large Reclaim() is no reason to slow imports.
  result.level0_file_num_compaction_trigger = 4;
  result.level0_slowdown_writes_trigger = 64;
  result.level0_stop_writes_trigger = std::numeric_limits<int>::max();
  result.soft_pending_compaction_bytes_limit = 0;
  result.hard_pending_compaction_bytes_limit = 0;
  // Reads each new table once before it replaces others: damage is noticed while the sources are still there.
  result.paranoid_file_checks = true;
  return result;
}

std::vector<rocksdb::ColumnFamilyDescriptor> AllFamilies(const KvOptions& options,
                                                         const std::shared_ptr<rocksdb::Cache>& cache) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, FamilyOptions(Family::kCatalog, options, cache));
  for (size_t i = 0; i < kFamilyCount; ++i) {
    families.emplace_back(std::string(kFamilyNames[i]),
                          FamilyOptions(static_cast<Family>(i), options, cache));
  }
  return families;
}

rocksdb::WriteOptions DurableWrite() {
  rocksdb::WriteOptions options;
  options.sync = true;
  // A checksum over each entry from here into the log and the memtable (RocksDB 7.8 has eight bytes or none).
  options.protection_bytes_per_key = 8;
  return options;
}

}  // namespace freqstore

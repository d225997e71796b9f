// KvStore over RocksDB: the only file that includes it.

#include <algorithm>
#include <atomic>

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/kv/kv_store.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;

rocksdb::Slice ToSlice(std::string_view s) {
  return {s.data(), s.size()};
}
std::string_view FromSlice(const rocksdb::Slice& s) {
  return {s.data(), s.size()};
}

absl::Status FromRocks(const rocksdb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  const std::string text = status.ToString();
  if (status.IsNoSpace()) {
    return MakeError(absl::StatusCode::kResourceExhausted, "DISK_FULL",
                     fmt::format("the disk is full ({}); free space and try again", text));
  }
  if (status.IsCorruption()) return MakeError(absl::StatusCode::kDataLoss, "STORE_CORRUPT", text);
  if (status.IsBusy() || status.IsTryAgain() || status.IsTimedOut()) {
    return MakeError(absl::StatusCode::kUnavailable, "STORE_BUSY", text);
  }
  if (status.IsIOError() && text.find("lock") != std::string::npos) {
    return MakeError(absl::StatusCode::kUnavailable, "STORE_LOCKED",
                     fmt::format("another process has the store open ({})", text));
  }
  return MakeError(absl::StatusCode::kInternal, "STORE_FAILED", text);
}

class RocksSnapshot final : public KvSnapshot {
 public:
  explicit RocksSnapshot(rocksdb::DB* db) : db_(db), snapshot_(db->GetSnapshot()) {}
  ~RocksSnapshot() override { db_->ReleaseSnapshot(snapshot_); }
  RocksSnapshot(const RocksSnapshot&) = delete;
  RocksSnapshot& operator=(const RocksSnapshot&) = delete;
  const rocksdb::Snapshot* get() const { return snapshot_; }

 private:
  rocksdb::DB* db_;
  const rocksdb::Snapshot* snapshot_;
};

class RocksValue final : public KvValue {
 public:
  explicit RocksValue(rocksdb::PinnableSlice&& slice) : slice_(std::move(slice)) {}
  Bytes bytes() const override { return AsBytes(FromSlice(slice_)); }

 private:
  rocksdb::PinnableSlice slice_;
};

class RocksCursor final : public KvCursor {
 public:
  RocksCursor(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, std::string prefix,
              rocksdb::ReadOptions options)
      : prefix_(std::move(prefix)), end_(PrefixEnd(prefix_)), end_slice_(end_) {
    if (!end_.empty()) options.iterate_upper_bound = &end_slice_;
    iterator_.reset(db->NewIterator(options, family));
    iterator_->Seek(prefix_);
  }
  bool Valid() const override { return iterator_->Valid(); }
  void Next() override { iterator_->Next(); }
  void Seek(std::string_view key) override {
    iterator_->Seek(ToSlice(std::max<std::string_view>(key, prefix_)));
  }
  std::string_view key() const override { return FromSlice(iterator_->key()); }
  std::string_view value() const override { return FromSlice(iterator_->value()); }
  absl::Status status() const override { return FromRocks(iterator_->status()); }

 private:
  std::string prefix_;
  std::string end_;
  rocksdb::Slice end_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

class RocksKvStore final : public KvStore {
 public:
  RocksKvStore(fs::path folder, rocksdb::DB* db, std::vector<rocksdb::ColumnFamilyHandle*> handles)
      : ingest_folder_(folder / "ingest"), handles_(std::move(handles)), db_(db) {}

  ~RocksKvStore() override {
    for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
  }

  /// Empties the folder in which table files are built: what a crash left there was never part of the store.
  absl::Status PrepareIngestFolder() {
    std::error_code error;
    fs::remove_all(ingest_folder_, error);
    fs::create_directories(ingest_folder_, error);
    if (error) {
      return MakeError(absl::StatusCode::kInternal, "STORE_FAILED",
                       fmt::format("cannot make {}: {}", ingest_folder_.string(), error.message()));
    }
    return absl::OkStatus();
  }

  std::unique_ptr<KvSnapshot> Snapshot() override { return std::make_unique<RocksSnapshot>(db_.get()); }

  absl::StatusOr<std::optional<std::string>> Get(Family family, std::string_view key,
                                                 const KvSnapshot* snapshot) override {
    std::string value;
    const rocksdb::Status status = db_->Get(ReadOptions(snapshot), Handle(family), ToSlice(key), &value);
    if (status.IsNotFound()) return std::nullopt;
    RETURN_IF_ERROR(FromRocks(status));
    return value;
  }

  absl::StatusOr<std::vector<std::unique_ptr<KvValue>>> MultiGet(Family family,
                                                                 std::span<const std::string> keys,
                                                                 const KvSnapshot* snapshot) override {
    std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
    std::vector<rocksdb::PinnableSlice> found(keys.size());
    std::vector<rocksdb::Status> statuses(keys.size());
    db_->MultiGet(ReadOptions(snapshot), Handle(family), slices.size(), slices.data(), found.data(),
                  statuses.data(), /*sorted_input=*/true);
    std::vector<std::unique_ptr<KvValue>> values(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      if (statuses[i].IsNotFound()) continue;
      RETURN_IF_ERROR(FromRocks(statuses[i]));
      values[i] = std::make_unique<RocksValue>(std::move(found[i]));
    }
    return values;
  }

  std::unique_ptr<KvCursor> Scan(Family family, std::string prefix, const KvSnapshot* snapshot) override {
    return std::make_unique<RocksCursor>(db_.get(), Handle(family), std::move(prefix), ReadOptions(snapshot));
  }

  absl::Status Write(const KvBatch& batch) override {
    rocksdb::WriteBatch writes;
    for (const KvBatch::Change& change : batch.changes()) {
      rocksdb::Status status;
      switch (change.kind) {
        case KvBatch::Change::Kind::kPut:
          status = writes.Put(Handle(change.family), change.key, change.value);
          break;
        case KvBatch::Change::Kind::kDelete:
          status = writes.Delete(Handle(change.family), change.key);
          break;
        case KvBatch::Change::Kind::kDeletePrefix:
          status = writes.DeleteRange(Handle(change.family), change.key, PrefixEnd(change.key));
          break;
      }
      RETURN_IF_ERROR(FromRocks(status));
    }
    rocksdb::WriteOptions options;
    options.sync = true;
    return FromRocks(db_->Write(options, &writes));
  }

  absl::Status Ingest(std::span<const SortedEntries> runs) override {
    for (const SortedEntries& run : runs) {
      if (run.entries.empty()) continue;
      const std::string file = (ingest_folder_ / fmt::format("{}.sst", next_file_.fetch_add(1))).string();
      absl::Status status = WriteTable(run, file);
      if (status.ok()) {
        rocksdb::IngestExternalFileOptions options;
        options.move_files = true;
        // The file comes from the writer above with its checksums: no need to read it all back.
        options.write_global_seqno = false;
        status = FromRocks(db_->IngestExternalFile(Handle(run.family), {file}, options));
      }
      std::error_code ignored;
      fs::remove(file, ignored);
      RETURN_IF_ERROR(status);
    }
    return absl::OkStatus();
  }

  absl::Status Reclaim(Family family, std::string_view prefix) override {
    const std::string end = PrefixEnd(prefix);
    const rocksdb::Slice begin_slice = ToSlice(prefix);
    const rocksdb::Slice end_slice = ToSlice(end);
    rocksdb::CompactRangeOptions options;
    options.exclusive_manual_compaction = false;
    return FromRocks(
        db_->CompactRange(options, Handle(family), &begin_slice, end.empty() ? nullptr : &end_slice));
  }

  uint64_t DiskBytes(Family family) override {
    uint64_t bytes = 0;
    db_->GetIntProperty(Handle(family), rocksdb::DB::Properties::kTotalSstFilesSize, &bytes);
    return bytes;
  }

 private:
  rocksdb::ColumnFamilyHandle* Handle(Family family) { return handles_[static_cast<size_t>(family)]; }

  static rocksdb::ReadOptions ReadOptions(const KvSnapshot* snapshot) {
    rocksdb::ReadOptions options;
    if (snapshot != nullptr) options.snapshot = static_cast<const RocksSnapshot*>(snapshot)->get();
    return options;
  }

  absl::Status WriteTable(const SortedEntries& run, const std::string& file) {
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), db_->GetOptions(Handle(run.family)),
                                  Handle(run.family));
    RETURN_IF_ERROR(FromRocks(writer.Open(file)));
    for (const auto& [key, value] : run.entries) {
      RETURN_IF_ERROR(FromRocks(writer.Put(key, ToSlice(value))));
    }
    return FromRocks(writer.Finish());
  }

  const fs::path ingest_folder_;
  std::atomic<uint64_t> next_file_{0};
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
  std::unique_ptr<rocksdb::DB> db_;
};

rocksdb::ColumnFamilyOptions FamilyOptions(Family family, const KvOptions& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.checksum = rocksdb::kXXH3;
  table.format_version = 5;
  rocksdb::ColumnFamilyOptions family_options;
  family_options.write_buffer_size = options.write_buffer_bytes;
  family_options.compression = rocksdb::kNoCompression;
  switch (family) {
    case Family::kCatalog:
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
  family_options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return family_options;
}

}  // namespace

absl::StatusOr<std::unique_ptr<KvStore>> KvStore::Open(const fs::path& folder, const KvOptions& options) {
  rocksdb::DBOptions db_options;
  db_options.create_if_missing = options.create_if_missing;
  db_options.create_missing_column_families = true;
  db_options.paranoid_checks = true;
  // An acknowledged write was synced, so whatever is torn at the end of the log was never acknowledged.
  db_options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  db_options.max_open_files = 4096;
  db_options.keep_log_file_num = 4;
  db_options.info_log_level = rocksdb::WARN_LEVEL;

  const auto cache = rocksdb::NewLRUCache(options.block_cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions());
  for (size_t i = 0; i < kFamilyCount; ++i) {
    families.emplace_back(std::string(kFamilyNames[i]),
                          FamilyOptions(static_cast<Family>(i), options, cache));
  }

  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return MakeError(absl::StatusCode::kInternal, "STORE_FAILED",
                     fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  }
  rocksdb::DB* db = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  const rocksdb::Status status = rocksdb::DB::Open(rocksdb::Options(db_options, families[0].options),
                                                   folder.string(), families, &handles, &db);
  if (!status.ok())
    return Annotate(FromRocks(status), fmt::format("cannot open the store in {}", folder.string()));
  db->DestroyColumnFamilyHandle(
      handles.front());  // RocksDB insists on a default family; nothing is kept in it
  handles.erase(handles.begin());
  auto store = std::make_unique<RocksKvStore>(folder, db, std::move(handles));
  RETURN_IF_ERROR(store->PrepareIngestFolder());
  return store;
}

}  // namespace freqstore

// KvStore over RocksDB.

#include <utility>

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "absl/synchronization/mutex.h"
#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/kv/kv_store.h"
#include "storage/kv/log_check.h"
#include "storage/kv/rocks_checkpoint.h"
#include "storage/kv/rocks_file_system.h"
#include "storage/kv/rocks_ingest.h"
#include "storage/kv/rocks_memory.h"
#include "storage/kv/rocks_options.h"
#include "storage/kv/rocks_purge.h"
#include "storage/kv/rocks_reads.h"
#include "storage/kv/rocks_statistics.h"
#include "storage/kv/rocks_status.h"
#include "storage/kv/rocks_verify.h"
#include "storage/kv/rocks_write_gate.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;

class RocksKvStore final : public KvStore {
 public:
  static absl::StatusOr<std::unique_ptr<KvStore>> Open(const fs::path& folder, const KvOptions& options);

  ~RocksKvStore() override {
    gate_.Stop();
    for (rocksdb::ColumnFamilyHandle* handle : all_families_) db_->DestroyColumnFamilyHandle(handle);
  }

  std::unique_ptr<KvSnapshot> Snapshot() override { return std::make_unique<RocksSnapshot>(db_.get()); }

  absl::StatusOr<std::optional<std::string>> Get(Family family, std::string_view key,
                                                 const KvSnapshot* snapshot) override {
    std::string value;
    const rocksdb::Status status = db_->Get(ReadsAt(snapshot), Handle(family), ToSlice(key), &value);
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
    db_->MultiGet(ReadsAt(snapshot), Handle(family), slices.size(), slices.data(), found.data(),
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
    return std::make_unique<RocksCursor>(db_.get(), Handle(family), std::move(prefix), ReadsAt(snapshot));
  }

  absl::Status Write(const KvBatch& batch) override {
    rocksdb::WriteBatch writes;
    for (const KvBatch::Change& change : batch.changes()) RETURN_IF_ERROR(FromRocks(Add(change, writes)));
    return gate_.WriteToLog(batch.bytes(), batch.frees_space(),
                            [&] { return db_->Write(DurableWrite(), &writes); });
  }

  absl::Status Ingest(std::span<const SortedEntries> runs) override {
    uint64_t bytes = 0;
    for (const SortedEntries& run : runs) {
      for (const auto& [key, value] : run.entries) bytes += key.size() + value.size();
    }
    RETURN_IF_ERROR(gate_.Admit(bytes, /*frees_space=*/false));
    return gate_.Explain(ingest_.Ingest(
        *db_, [this](Family family) { return Handle(family); }, runs));
  }

  absl::Status WriteOut() override {
    RETURN_IF_ERROR(gate_.Admit(0, /*frees_space=*/true));
    return gate_.Explain(db_->Flush(rocksdb::FlushOptions(), all_families_));
  }

  absl::Status Reclaim(Family family, std::string_view prefix) override {
    RETURN_IF_ERROR(gate_.Admit(0, /*frees_space=*/true));
    const std::string end = PrefixEnd(prefix);
    const rocksdb::Slice begin_slice = ToSlice(prefix);
    const rocksdb::Slice end_slice = ToSlice(end);
    rocksdb::CompactRangeOptions options;
    options.exclusive_manual_compaction = false;
    return gate_.Explain(
        db_->CompactRange(options, Handle(family), &begin_slice, end.empty() ? nullptr : &end_slice));
  }

  absl::StatusOr<bool> Purge(Family family, std::span<const std::string> prefixes) override {
    RETURN_IF_ERROR(gate_.Touch());
    return PurgePrefixes(*db_, folder_, all_families_, Handle(family), prefixes);
  }

  uint64_t DiskBytes(Family family) override {
    uint64_t bytes = 0;
    db_->GetIntProperty(Handle(family), rocksdb::DB::Properties::kTotalSstFilesSize, &bytes);
    return bytes;
  }

  KvHealth health() override { return gate_.health(); }
  absl::Status Resume() override { return gate_.Resume(); }
  KvMemory memory() const override { return memory_->Usage(*db_); }
  std::unique_ptr<KvReservation> Reserve(uint64_t bytes) override { return memory_->Reserve(bytes); }

  absl::Status Checkpoint(const fs::path& folder) override {
    RETURN_IF_ERROR(gate_.Admit(0, /*frees_space=*/true));  // memtables are written out first
    absl::MutexLock lock(&checkpoint_mutex_);
    return MakeCheckpoint(*db_, folder);
  }

  absl::Status VerifyTables(absl::FunctionRef<bool(const KvTableCheck&)> report) override {
    return VerifyLiveTables(*db_, folder_, report);
  }

  std::map<std::string, uint64_t> statistics() const override {
    return StoreStatistics(*db_, *statistics_, all_families_);
  }

 private:
  RocksKvStore(fs::path folder, const KvOptions& options)
      : folder_(std::move(folder)),
        files_(std::make_shared<ForgivingFileSystem>()),
        environment_(rocksdb::NewCompositeEnv(files_)),
        memory_(std::make_unique<RocksMemory>(options)),
        gate_(folder_, options.free_bytes_min, files_) {}

  absl::Status OpenDatabase(const KvOptions& options);

  /// Families of ours follow RocksDB's own.
  rocksdb::ColumnFamilyHandle* Handle(Family family) {
    return all_families_[static_cast<size_t>(family) + 1];
  }

  rocksdb::Status Add(const KvBatch::Change& change, rocksdb::WriteBatch& writes) {
    switch (change.kind) {
      case KvBatch::Change::Kind::kPut:
        return writes.Put(Handle(change.family), change.key, change.value);
      case KvBatch::Change::Kind::kDelete:
        return writes.Delete(Handle(change.family), change.key);
      case KvBatch::Change::Kind::kDeletePrefix:
        return writes.DeleteRange(Handle(change.family), change.key, PrefixEnd(change.key));
    }
    return rocksdb::Status::InvalidArgument("unknown kind of change");
  }

  const fs::path folder_;
  const std::shared_ptr<ForgivingFileSystem> files_;
  const std::unique_ptr<rocksdb::Env> environment_;
  const std::unique_ptr<RocksMemory> memory_;
  RocksWriteGate gate_;
  absl::Mutex checkpoint_mutex_;
  std::shared_ptr<rocksdb::Statistics> statistics_;
  std::vector<rocksdb::ColumnFamilyHandle*> all_families_;
  RocksIngest ingest_{folder_ / "ingest"};
  std::unique_ptr<rocksdb::DB> db_;
};

absl::Status RocksKvStore::OpenDatabase(const KvOptions& options) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) {
    return MakeError(absl::StatusCode::kInternal, "STORE_FAILED",
                     fmt::format("cannot make the folder {}: {}", folder_.string(), error.message()));
  }
  RETURN_IF_ERROR(CheckLogs(folder_));
  rocksdb::DBOptions db_options = StoreOptions(options, memory_->write_buffers());
  db_options.env = environment_.get();
  db_options.listeners.push_back(gate_.listener());
  statistics_ = db_options.statistics;
  rocksdb::DB* db = nullptr;
  RETURN_IF_ERROR(FromRocks(rocksdb::DB::Open(db_options, folder_.string(),
                                              AllFamilies(options, memory_->cache()), &all_families_, &db)));
  db_.reset(db);
  gate_.Start(db);
  return ingest_.Prepare();
}

absl::StatusOr<std::unique_ptr<KvStore>> RocksKvStore::Open(const fs::path& folder,
                                                            const KvOptions& options) {
  std::unique_ptr<RocksKvStore> store(new RocksKvStore(folder, options));
  if (const absl::Status status = store->OpenDatabase(options); !status.ok())
    return Annotate(status, fmt::format("cannot open the store in {}", folder.string()));
  return store;
}

}  // namespace

absl::StatusOr<std::unique_ptr<KvStore>> KvStore::Open(const fs::path& folder, const KvOptions& options) {
  return RocksKvStore::Open(folder, options);
}

}  // namespace freqstore

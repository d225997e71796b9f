#include "storage/kv/rocks_write_gate.h"

#include <ctime>
#include <string>
#include <system_error>
#include <utility>

#include "absl/time/time.h"
#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/kv/rocks_options.h"
#include "storage/kv/rocks_status.h"

namespace freqstore {
namespace {

using Clock = std::chrono::system_clock;

// RocksDB tries every kResumeIntervalMicros; this waits for an attempt that began after the call, and its
// flushes.
constexpr absl::Duration kResumePatience = absl::Microseconds(3 * kResumeIntervalMicros);
// Written to the default family, in which nothing is kept, to see whether writes work.
constexpr std::string_view kProbeKey = "probe";

std::string TextOf(Clock::time_point time) {
  const std::time_t seconds = Clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%FT%TZ", &parts)};
}

}  // namespace

RocksWriteGate::RocksWriteGate(std::filesystem::path folder, uint64_t free_bytes_min,
                               std::shared_ptr<ForgivingFileSystem> files)
    : folder_(std::move(folder)),
      free_bytes_min_(free_bytes_min),
      files_(std::move(files)),
      error_(std::make_shared<RocksBackgroundError>()) {}

RocksWriteGate::~RocksWriteGate() {
  Stop();
}

std::shared_ptr<rocksdb::EventListener> RocksWriteGate::listener() const {
  return ListenForErrors(error_);
}

void RocksWriteGate::Start(rocksdb::DB* db) {
  db_ = db;
  thread_ = std::thread([this] { FinishRecoveries(); });
}

void RocksWriteGate::Stop() {
  error_->Stop();
  if (thread_.joinable()) thread_.join();
}

uint64_t RocksWriteGate::FreeBytes() const {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder_, error);
  return error ? UINT64_MAX : space.available;  // what cannot be asked is left to the write
}

absl::Status RocksWriteGate::DiskFull(uint64_t free_bytes) const {
  return MakeError(
      absl::StatusCode::kResourceExhausted, "DISK_FULL",
      fmt::format("the file system of {} has {} MiB left, and {} MiB are kept for upkeep "
                  "(--free-bytes-min): delete data or add space; writes go on by themselves then",
                  folder_.string(), free_bytes >> 20, free_bytes_min_ >> 20));
}

absl::Status RocksWriteGate::Admit(uint64_t bytes, bool frees_space) {
  if (!error_->Get().writes.ok()) return health().cause;
  const uint64_t free_bytes = FreeBytes();
  const bool room = free_bytes >= free_bytes_min_ && free_bytes - free_bytes_min_ >= bytes;
  return room || frees_space ? absl::OkStatus() : DiskFull(free_bytes);
}

absl::Status RocksWriteGate::WriteToLog(uint64_t bytes, bool frees_space,
                                        absl::FunctionRef<rocksdb::Status()> write) {
  RETURN_IF_ERROR(Admit(bytes, frees_space));  // at once, without waiting for a recovery that is under way
  absl::ReaderMutexLock lock(&log_mutex_);
  RETURN_IF_ERROR(Admit(bytes, frees_space));
  return Explain(write());
}

absl::Status RocksWriteGate::Touch() {
  return WriteToLog(0, /*frees_space=*/true,
                    [this] { return db_->Put(DurableWrite(), ToSlice(kProbeKey), {}); });
}

absl::Status RocksWriteGate::Explain(const rocksdb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return error_->Get().writes.ok() ? FromRocks(status) : health().cause;
}

KvHealth RocksWriteGate::health() {
  const RocksBackgroundError::State error = error_->Get();
  if (IsDiskFull(error.writes)) return {KvHealth::State::kDiskFull, FromRocks(error.writes), error.since};
  if (!error.writes.ok()) {
    const std::string_view way_out = error.writes.IsIOError()
                                         ? "mend the disk; writes are tried again every second"
                                         : "restart the server";
    return {KvHealth::State::kReadOnly,
            MakeError(absl::StatusCode::kUnavailable, "STORE_READ_ONLY",
                      fmt::format("the store takes no writes since {}: {}; {}", TextOf(error.since),
                                  error.writes.ToString(), way_out)),
            error.since};
  }
  const uint64_t free_bytes = FreeBytes();
  absl::MutexLock lock(&full_mutex_);
  if (free_bytes < free_bytes_min_) {
    if (full_since_ == Clock::time_point{}) full_since_ = Clock::now();
    return {KvHealth::State::kDiskFull, DiskFull(free_bytes), full_since_};
  }
  full_since_ = {};
  if (error.compaction.ok()) return {};
  return {
      KvHealth::State::kDegraded,
      Annotate(FromRocks(error.compaction), "compaction fails and is tried again; space is not reclaimed"),
      error.since};
}

absl::Status RocksWriteGate::Resume() {
  return error_->AwaitWritable(kResumePatience) ? absl::OkStatus() : health().cause;
}

// RocksDB, for which all is well now, is made to begin a new log: an attempt to do so fails, which it gets
// over.
void RocksWriteGate::BeginNewLog() {
  rocksdb::WriteOptions options = DurableWrite();
  if (files_->current_log_failed()) {
    options.sync = false;
    options.disableWAL = true;
  }
  db_->Put(options, ToSlice(kProbeKey), {}).PermitUncheckedError();  // a log is begun with a memtable only
  files_->RefuseNewLogs(true);
  db_->Flush(rocksdb::FlushOptions()).PermitUncheckedError();
  files_->RefuseNewLogs(false);
}

// RocksDB 7.8 gets over the error by itself, with two exceptions:
// - If all memtables were empty, the failed log is still the current one, and must not be written to again
// (it
//   asserts that).
// - If a memtable was about to be flushed when the log failed, it makes the error one that does not pass.
// Then it
//   takes DB::Resume(), which leaves a flag behind that breaks ingestion; only its own recovery clears the
//   flag.
// A new log helps in both cases.
void RocksWriteGate::FinishRecovery(bool recovered) {
  absl::MutexLock lock(&log_mutex_);
  const uint64_t count = error_->Get().count;
  if (!recovered && !db_->Resume().ok()) return;
  if (!recovered || files_->current_log_failed()) return BeginNewLog();
  if (db_->Put(DurableWrite(), ToSlice(kProbeKey), {}).ok()) error_->ClearWrites(count);
}

void RocksWriteGate::FinishRecoveries() {
  while (error_->AwaitError()) {
    const bool recovered = error_->AwaitRecovered(absl::Microseconds(2 * kResumeIntervalMicros));
    FinishRecovery(recovered);
  }
}

}  // namespace freqstore

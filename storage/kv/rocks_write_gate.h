// Whether writes are taken: room on the disk, background errors, and how the store gets over them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <thread>

#include <rocksdb/db.h>
#include <rocksdb/listener.h>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "storage/kv/kv_state.h"
#include "storage/kv/rocks_background_error.h"
#include "storage/kv/rocks_file_system.h"

namespace freqstore {

/// Refuses writes while the store cannot take them, and takes them again when RocksDB has got over its error:
/// see rocks_file_system.h for how. Thread-safe.
class RocksWriteGate {
 public:
  RocksWriteGate(std::filesystem::path folder, uint64_t free_bytes_min,
                 std::shared_ptr<ForgivingFileSystem> files);
  ~RocksWriteGate();
  RocksWriteGate(const RocksWriteGate&) = delete;
  RocksWriteGate& operator=(const RocksWriteGate&) = delete;

  /// To be given to RocksDB when it opens. It may outlive the gate.
  std::shared_ptr<rocksdb::EventListener> listener() const;

  /// Begins to look after an open database.
  void Start(rocksdb::DB* db);
  /// Ends it; to be called before the database is closed.
  void Stop();

  /// OK if a change of `bytes` may go on. One that frees space may use up the reserve.
  absl::Status Admit(uint64_t bytes, bool frees_space);

  /// Runs a write to the log, if it is admitted. RocksDB must not be given one while its log is replaced.
  absl::Status WriteToLog(uint64_t bytes, bool frees_space, absl::FunctionRef<rocksdb::Status()> write);

  /// Writes a bit of nothing to RocksDB's own family.
  absl::Status Touch();

  /// What to tell of any other change that RocksDB did, refused or failed.
  absl::Status Explain(const rocksdb::Status& status);

  KvHealth health();

  absl::Status Resume();

 private:
  void FinishRecoveries();
  void FinishRecovery(bool recovered);
  void BeginNewLog();
  uint64_t FreeBytes() const;
  absl::Status DiskFull(uint64_t free_bytes) const;

  const std::filesystem::path folder_;
  const uint64_t free_bytes_min_;
  const std::shared_ptr<ForgivingFileSystem> files_;
  const std::shared_ptr<RocksBackgroundError> error_;  ///< shared with the listener
  rocksdb::DB* db_ = nullptr;
  absl::Mutex log_mutex_;  ///< shared by writes to the log, exclusive to what replaces it
  absl::Mutex full_mutex_;
  /// When room was first seen to be short; the epoch while it is not.
  std::chrono::system_clock::time_point full_since_ ABSL_GUARDED_BY(full_mutex_);
  std::thread thread_;
};

}  // namespace freqstore

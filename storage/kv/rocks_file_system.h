// RocksDB's file system, over the operating system's, for a store that gets over a disk that fails.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <rocksdb/file_system.h>

namespace freqstore {

/// Three things are different from RocksDB's own:
///
/// Errors of writes are marked as such that may pass, a full disk and a failed sync among them. RocksDB (7.8)
/// gives up on the others until it is opened again. After one that may pass it refuses writes, writes its
/// memtables out to new tables, begins a new log and a new MANIFEST, and tries that again until it works.
/// That is sound for all of them, as it never writes to the failed file again.
///
/// Logs and MANIFESTs do not keep what a failed write left on them: the file is cut back to what was synced
/// last and takes nothing more. So opening the store again does not find the record of a batch that was
/// reported as failed, nor the name of a table that was removed as adding it failed.
///
/// RocksDB's log of messages loses lines rather than fail: see rocks_message_log.h.
///
/// Thread-safe.
class ForgivingFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  ForgivingFileSystem();
  const char* Name() const override { return "ForgivingFileSystem"; }

  /// Whether the log that was begun last is one that failed.
  bool current_log_failed() const { return newest_log_failed_.load()->load(); }

  /// Lets new logs fail, with an error that may pass, until it is called with false.
  void RefuseNewLogs(bool refuse) { refuse_new_logs_ = refuse; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* directory,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewLogger(const std::string& path, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* log, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;

 private:
  using Flag = std::atomic<bool>;

  std::atomic<bool> refuse_new_logs_ = false;
  std::atomic<std::shared_ptr<Flag>> newest_log_failed_;  ///< shared with that log
};

}  // namespace freqstore

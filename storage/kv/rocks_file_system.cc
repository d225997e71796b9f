#include "storage/kv/rocks_file_system.h"

#include <filesystem>
#include <string>
#include <utility>

#include "storage/kv/rocks_message_log.h"

namespace freqstore {
namespace {

using rocksdb::FileOptions;
using rocksdb::FSDirectory;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

IOStatus MayPass(IOStatus status) {
  // "No space" loses its mark as RocksDB has another way with it, which leaves ingestion broken afterwards
  // (7.8: its flag that writes are stopped stays).
  if (status.IsNoSpace()) status = IOStatus::IOError(status.getState());
  if (status.IsIOError() && !status.IsPathNotFound()) status.SetRetryable(true);
  return status;
}

class ForgivingFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return MayPass(target()->Append(data, options, debug));
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*verification*/, IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return MayPass(target()->Close(options, debug));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return MayPass(target()->Flush(options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return MayPass(target()->Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return MayPass(target()->Fsync(options, debug));
  }
  IOStatus RangeSync(uint64_t offset, uint64_t bytes, const IOOptions& options,
                     IODebugContext* debug) override {
    return MayPass(target()->RangeSync(offset, bytes, options, debug));
  }
};

/// A log of changes or a MANIFEST. Used by one thread at a time, as RocksDB does with files it writes.
class CuttingFile final : public ForgivingFile {
 public:
  /// `failed` is set when it fails.
  CuttingFile(std::unique_ptr<FSWritableFile> file, std::shared_ptr<std::atomic<bool>> failed)
      : ForgivingFile(std::move(file)), failed_(std::move(failed)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* debug) override {
    if (!failure_.ok()) return failure_;
    IOStatus status = ForgivingFile::Append(data, options, debug);
    if (!status.ok()) return Fail(std::move(status), options, debug);
    size_ += data.size();
    return status;
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*verification*/, IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return AfterSync(options, debug, [&] { return ForgivingFile::Sync(options, debug); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return AfterSync(options, debug, [&] { return ForgivingFile::Fsync(options, debug); });
  }

 private:
  template <typename SyncFunction>
  IOStatus AfterSync(const IOOptions& options, IODebugContext* debug, SyncFunction sync) {
    // What is left of a file that was cut was synced before.
    if (cut_) return IOStatus::OK();
    if (!failure_.ok()) return failure_;
    IOStatus status = sync();
    if (!status.ok()) return Fail(std::move(status), options, debug);
    synced_size_ = size_;
    return status;
  }

  IOStatus Fail(IOStatus status, const IOOptions& options, IODebugContext* debug) {
    failure_ = status;
    *failed_ = true;
    cut_ = target()->Truncate(synced_size_, options, debug).ok();
    if (cut_) target()->Fsync(options, debug).PermitUncheckedError();
    return status;
  }

  const std::shared_ptr<std::atomic<bool>> failed_;
  uint64_t size_ = 0;
  uint64_t synced_size_ = 0;
  IOStatus failure_;
  bool cut_ = false;
};

class ForgivingDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  using FSDirectoryWrapper::FSDirectoryWrapper;

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return MayPass(FSDirectoryWrapper::Fsync(options, debug));
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& how) override {
    return MayPass(FSDirectoryWrapper::FsyncWithDirOptions(options, debug, how));
  }
};

bool IsLog(const std::string& path) {
  return path.ends_with(".log");
}

bool IsManifest(const std::string& path) {
  return std::filesystem::path(path).filename().string().starts_with("MANIFEST-");
}

}  // namespace

ForgivingFileSystem::ForgivingFileSystem()
    : FileSystemWrapper(rocksdb::FileSystem::Default()), newest_log_failed_(std::make_shared<Flag>(false)) {}

IOStatus ForgivingFileSystem::NewWritableFile(const std::string& path, const FileOptions& options,
                                              std::unique_ptr<FSWritableFile>* file, IODebugContext* debug) {
  if (IsLog(path) && refuse_new_logs_) return MayPass(IOStatus::IOError(path, "no new log is wanted now"));
  IOStatus status = MayPass(target()->NewWritableFile(path, options, file, debug));
  if (!status.ok()) return status;
  if (!IsLog(path) && !IsManifest(path)) {
    *file = std::make_unique<ForgivingFile>(std::move(*file));
    return status;
  }
  auto failed = std::make_shared<Flag>(false);
  *file = std::make_unique<CuttingFile>(std::move(*file), failed);
  if (IsLog(path)) newest_log_failed_ = std::move(failed);
  return status;
}

IOStatus ForgivingFileSystem::ReopenWritableFile(const std::string& path, const FileOptions& options,
                                                 std::unique_ptr<FSWritableFile>* file,
                                                 IODebugContext* debug) {
  IOStatus status = MayPass(target()->ReopenWritableFile(path, options, file, debug));
  if (status.ok()) *file = std::make_unique<ForgivingFile>(std::move(*file));
  return status;
}

IOStatus ForgivingFileSystem::NewDirectory(const std::string& path, const IOOptions& options,
                                           std::unique_ptr<FSDirectory>* directory, IODebugContext* debug) {
  IOStatus status = MayPass(target()->NewDirectory(path, options, directory, debug));
  if (status.ok()) *directory = std::make_unique<ForgivingDirectory>(std::move(*directory));
  return status;
}

IOStatus ForgivingFileSystem::NewLogger(const std::string& path, const IOOptions& /*options*/,
                                        std::shared_ptr<rocksdb::Logger>* log, IODebugContext* /*debug*/) {
  *log = OpenMessageLog(path);
  return *log != nullptr ? IOStatus::OK() : IOStatus::IOError(path, "cannot be made");
}

IOStatus ForgivingFileSystem::RenameFile(const std::string& from, const std::string& to,
                                         const IOOptions& options, IODebugContext* debug) {
  return MayPass(target()->RenameFile(from, to, options, debug));
}

IOStatus ForgivingFileSystem::LinkFile(const std::string& from, const std::string& to,
                                       const IOOptions& options, IODebugContext* debug) {
  return MayPass(target()->LinkFile(from, to, options, debug));
}

}  // namespace freqstore

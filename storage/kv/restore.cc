#include "storage/kv/restore.h"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <sys/file.h>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "storage/kv/durable_files.h"
#include "storage/kv/rocks_verify.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;

// In a restored store's folder: which checkpoint it came from. RocksDB leaves files alone that are not its
// own.
constexpr std::string_view kOriginFile = "RESTORED_FROM";

struct CheckpointFile {
  std::string name;
  uint64_t bytes = 0;
};

/// Holds a lock on a file until destroyed.
class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)),
        held_(descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {}
  ~FileLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool held() const { return held_; }

 private:
  const int descriptor_;
  const bool held_;
};

std::string ReadSmallFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

absl::StatusOr<std::vector<CheckpointFile>> ListCheckpoint(const fs::path& from) {
  std::vector<CheckpointFile> files;
  std::error_code error;
  for (auto entry = fs::directory_iterator(from, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->is_regular_file(error))
      files.push_back({entry->path().filename().string(), entry->file_size(error)});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto is_current = [](const CheckpointFile& file) { return file.name == "CURRENT"; };
  if (error || std::none_of(files.begin(), files.end(), is_current)) {
    return MakeError(absl::StatusCode::kNotFound, "CHECKPOINT_NOT_FOUND",
                     fmt::format("{} is not a checkpoint: {}", from.string(),
                                 error ? error.message() : "it holds no file CURRENT"));
  }
  return files;
}

/// Names a checkpoint by its files and the MANIFEST's content, which lists the tables and their checksums.
std::string FingerprintOf(const fs::path& from, const std::vector<CheckpointFile>& files) {
  std::string text;
  for (const CheckpointFile& file : files) {
    text += fmt::format("{} {}\n", file.name, file.bytes);
    if (file.name.starts_with("MANIFEST-")) text += ReadSmallFile(from / file.name);
  }
  const std::string hash = Sha256(AsBytes(text));
  return fmt::format("{:02x}\n", fmt::join(AsBytes(hash), ""));
}

absl::Status CopyCheckpoint(const fs::path& from, const std::vector<CheckpointFile>& files,
                            const fs::path& to, absl::FunctionRef<void(const RestoreProgress&)> progress) {
  RestoreProgress sum;
  for (const CheckpointFile& file : files) sum.bytes_total += file.bytes;
  for (const CheckpointFile& file : files) {
    if (file.name == kOriginFile) continue;
    RETURN_IF_ERROR(CopyFileDurably(from / file.name, to / file.name, [&](uint64_t bytes) {
      sum.bytes_done += bytes;
      progress(sum);
    }));
  }
  return absl::OkStatus();
}

/// Builds the store in `building`. What is in its way is of an earlier attempt.
absl::Status Build(const fs::path& from, const std::vector<CheckpointFile>& files, const std::string& origin,
                   const fs::path& building, absl::FunctionRef<void(const RestoreProgress&)> progress) {
  std::error_code error;
  fs::remove_all(building, error);
  fs::create_directories(building, error);
  if (error) {
    return MakeError(absl::StatusCode::kInternal, "STORE_FAILED",
                     fmt::format("cannot make {}: {}", building.string(), error.message()));
  }
  RETURN_IF_ERROR(CopyCheckpoint(from, files, building, progress));
  if (const absl::Status status = VerifyStore(building); !status.ok())
    return Annotate(status, fmt::format("the copy of checkpoint {}", from.string()));
  RETURN_IF_ERROR(WriteFileDurably(building / kOriginFile, origin));
  return SyncFolderWithFiles(building);
}

}  // namespace

absl::Status RestoreCheckpoint(const fs::path& from, const fs::path& store_folder,
                               absl::FunctionRef<void(const RestoreProgress&)> progress) {
  ASSIGN_OR_RETURN(const std::vector<CheckpointFile> files, ListCheckpoint(from));
  const std::string origin = FingerprintOf(from, files);
  std::error_code error;
  const fs::path target = fs::absolute(store_folder, error);
  if (fs::exists(target, error) && !fs::is_empty(target, error)) {
    if (ReadSmallFile(target / kOriginFile) == origin) return absl::OkStatus();
    return MakeError(
        absl::StatusCode::kFailedPrecondition, "RESTORE_TARGET_NOT_EMPTY",
        fmt::format("{} holds something else than checkpoint {}: restore into an empty folder, or "
                    "start without --restore-from",
                    target.string(), from.string()));
  }
  fs::create_directories(target.parent_path(), error);
  const std::string building = target.string() + ".restoring";
  const FileLock lock(building + ".lock");
  if (!lock.held()) {
    return MakeError(
        absl::StatusCode::kUnavailable, "RESTORE_RUNNING",
        fmt::format("cannot lock {}.lock: is another restore to {} running?", building, target.string()));
  }
  absl::Status status = Build(from, files, origin, building, progress);
  if (status.ok()) status = RenameFolderDurably(building, target, /*replace_empty=*/true);
  if (!status.ok()) fs::remove_all(building, error);
  fs::remove(building + ".lock", error);
  return status;
}

}  // namespace freqstore

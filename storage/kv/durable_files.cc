#include "storage/kv/durable_files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <vector>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;

constexpr size_t kCopyBytes = size_t{1} << 20;

absl::Status Failed(std::string_view what, const fs::path& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  return MakeError(full ? absl::StatusCode::kResourceExhausted : absl::StatusCode::kInternal,
                   full ? "DISK_FULL" : "STORE_FAILED",
                   fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : value_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool ok() const { return value_ >= 0; }
  int get() const { return value_; }

 private:
  const int value_;
};

absl::Status WriteAll(const Descriptor& file, const fs::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("write", path, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SyncFileOrFolder(const fs::path& path) {
  const Descriptor file(path, O_RDONLY);
  if (!file.ok()) return Failed("open", path, errno);
  return fsync(file.get()) == 0 ? absl::OkStatus() : Failed("sync", path, errno);
}

absl::Status SyncFolderWithFiles(const fs::path& folder) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->is_regular_file(error)) RETURN_IF_ERROR(SyncFileOrFolder(entry->path()));
  }
  if (error) return Failed("list", folder, error.value());
  return SyncFileOrFolder(folder);
}

absl::Status CopyFileDurably(const fs::path& from, const fs::path& to,
                             absl::FunctionRef<void(uint64_t)> progress) {
  const Descriptor source(from, O_RDONLY);
  if (!source.ok()) return Failed("open", from, errno);
  const Descriptor copy(to, O_WRONLY | O_CREAT | O_EXCL);
  if (!copy.ok()) return Failed("make", to, errno);
  std::vector<char> buffer(kCopyBytes);
  for (;;) {
    const ssize_t got = read(source.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed("read", from, errno);
    if (got == 0) break;
    RETURN_IF_ERROR(WriteAll(copy, to, {buffer.data(), static_cast<size_t>(got)}));
    progress(static_cast<uint64_t>(got));
  }
  return fsync(copy.get()) == 0 ? absl::OkStatus() : Failed("sync", to, errno);
}

absl::Status WriteFileDurably(const fs::path& path, std::string_view content) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.ok()) return Failed("make", path, errno);
  RETURN_IF_ERROR(WriteAll(file, path, content));
  return fsync(file.get()) == 0 ? absl::OkStatus() : Failed("sync", path, errno);
}

absl::Status RenameFolderDurably(const fs::path& from, const fs::path& to, bool replace_empty) {
  const unsigned flags = replace_empty ? 0 : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) != 0)
    return Failed(fmt::format("rename {} to", from.string()), to, errno);
  return SyncFileOrFolder(to.parent_path());
}

}  // namespace freqstore

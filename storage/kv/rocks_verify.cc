#include "storage/kv/rocks_verify.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <rocksdb/file_checksum.h>
#include <rocksdb/sst_file_reader.h>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/kv/log_check.h"
#include "storage/kv/rocks_status.h"
#include "storage/kv/rocks_tables.h"

namespace freqstore {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;

/// A descriptor that closes itself.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return descriptor_; }

 private:
  const int descriptor_;
};

absl::Status Damaged(const std::string& path, std::string_view what) {
  return MakeError(absl::StatusCode::kDataLoss, "STORE_CORRUPT",
                   fmt::format("table file {}: {}", path, what));
}

/// Reads a file from the disk, not from the page cache, into `checksum`; gives its size.
absl::StatusOr<uint64_t> ReadWhole(const std::string& path, rocksdb::FileChecksumGenerator* checksum) {
  const OpenFile file(path);
  if (file.get() < 0) return Damaged(path, fmt::format("cannot open: {}", std::strerror(errno)));
  posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  posix_fadvise(file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  std::vector<char> buffer(kReadBytes);
  uint64_t bytes = 0;
  for (;;) {
    const ssize_t got = read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Damaged(path, fmt::format("cannot read at {}: {}", bytes, std::strerror(errno)));
    if (got == 0) return bytes;
    bytes += static_cast<uint64_t>(got);
    if (checksum != nullptr) checksum->Update(buffer.data(), static_cast<size_t>(got));
  }
}

absl::Status CheckFile(const std::string& path, const rocksdb::LiveFileMetaData& table) {
  std::unique_ptr<rocksdb::FileChecksumGenerator> checksum;
  if (table.file_checksum_func_name == rocksdb::kStandardDbFileChecksumFuncName) {
    checksum = rocksdb::GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator(
        {path, table.file_checksum_func_name});
  }
  ASSIGN_OR_RETURN(const uint64_t bytes, ReadWhole(path, checksum.get()));
  if (bytes != table.size) return Damaged(path, fmt::format("has {} bytes, not {}", bytes, table.size));
  if (checksum != nullptr) {
    checksum->Finalize();
    if (checksum->GetChecksum() != table.file_checksum) return Damaged(path, "the file's checksum is wrong");
  }
  rocksdb::SstFileReader reader{rocksdb::Options()};
  rocksdb::Status status = reader.Open(path);
  if (status.ok()) status = reader.VerifyChecksum();
  return status.ok() ? absl::OkStatus() : Damaged(path, status.ToString());
}

bool IsLive(rocksdb::DB& db, const rocksdb::LiveFileMetaData& table) {
  const auto tables = LiveTables(db);
  return std::any_of(tables.begin(), tables.end(),
                     [&](const auto& other) { return other.name == table.name; });
}

}  // namespace

absl::Status VerifyLiveTables(rocksdb::DB& db, const std::filesystem::path& folder,
                              absl::FunctionRef<bool(const KvTableCheck&)> report) {
  for (const rocksdb::LiveFileMetaData& table : LiveTables(db)) {
    const std::string path = folder.string() + table.name;  // RocksDB's names begin with a slash
    KvTableCheck check;
    check.status = CheckFile(path, table);
    // A compaction may have replaced the table while it was read.
    if (!check.status.ok() && !IsLive(db, table)) continue;
    check.file = table.name.substr(1);
    check.family = table.column_family_name;
    check.level = table.level;
    check.bytes = table.size;
    check.smallest_key = table.smallestkey;
    check.largest_key = table.largestkey;
    check.has_file_checksum = table.file_checksum_func_name == rocksdb::kStandardDbFileChecksumFuncName;
    if (!report(check))
      return MakeError(absl::StatusCode::kCancelled, "VERIFY_STOPPED", "the check of tables was stopped");
  }
  return absl::OkStatus();
}

absl::Status VerifyStore(const std::filesystem::path& folder) {
  RETURN_IF_ERROR(CheckLogs(folder));
  rocksdb::DBOptions options;
  std::vector<std::string> names;
  RETURN_IF_ERROR(FromRocks(rocksdb::DB::ListColumnFamilies(options, folder.string(), &names)));
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  RETURN_IF_ERROR(
      FromRocks(rocksdb::DB::OpenForReadOnly(options, folder.string(), families, &handles, &opened)));
  const std::unique_ptr<rocksdb::DB> db(opened);
  std::string damaged;
  const absl::Status status = VerifyLiveTables(*db, folder, [&](const KvTableCheck& check) {
    if (!check.status.ok()) damaged += (damaged.empty() ? "" : "; ") + std::string(MessageOf(check.status));
    return true;
  });
  for (rocksdb::ColumnFamilyHandle* handle : handles) db->DestroyColumnFamilyHandle(handle);
  RETURN_IF_ERROR(status);
  if (damaged.empty()) return absl::OkStatus();
  return MakeError(absl::StatusCode::kDataLoss, "STORE_CORRUPT", damaged);
}

}  // namespace freqstore

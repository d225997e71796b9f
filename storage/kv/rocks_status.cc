#include "storage/kv/rocks_status.h"

#include <cerrno>
#include <cstring>
#include <string>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {

bool IsDiskFull(const rocksdb::Status& status) {
  if (!status.IsIOError()) return false;
  const std::string text = status.ToString();
  return status.IsNoSpace() || text.find(std::strerror(ENOSPC)) != std::string::npos ||
         text.find(std::strerror(EDQUOT)) != std::string::npos;
}

absl::Status FromRocks(const rocksdb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  const std::string text = status.ToString();
  if (IsDiskFull(status)) {
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
  if (status.IsIOError()) return MakeError(absl::StatusCode::kUnavailable, "STORE_IO_ERROR", text);
  return MakeError(absl::StatusCode::kInternal, "STORE_FAILED", text);
}

}  // namespace freqstore

#include "storage/kv/rocks_checkpoint.h"

#include <memory>
#include <string>
#include <system_error>

#include <rocksdb/utilities/checkpoint.h>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/kv/durable_files.h"
#include "storage/kv/rocks_status.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;

absl::Status Exists(const fs::path& folder) {
  return MakeError(absl::StatusCode::kAlreadyExists, "CHECKPOINT_EXISTS",
                   fmt::format("{} is there already; give a folder that does not exist", folder.string()));
}

absl::Status MakeUnder(rocksdb::DB& db, const fs::path& building, const fs::path& folder) {
  rocksdb::Checkpoint* made = nullptr;
  RETURN_IF_ERROR(FromRocks(rocksdb::Checkpoint::Create(&db, &made)));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  RETURN_IF_ERROR(FromRocks(checkpoint->CreateCheckpoint(building.string())));
  RETURN_IF_ERROR(SyncFolderWithFiles(building));
  const absl::Status renamed = RenameFolderDurably(building, folder, /*replace_empty=*/false);
  return !renamed.ok() && fs::exists(building) && fs::exists(folder) ? Exists(folder) : renamed;
}

}  // namespace

absl::Status MakeCheckpoint(rocksdb::DB& db, const fs::path& given) {
  std::error_code error;
  fs::path folder = fs::absolute(given, error).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // it was given with a slash at its end
  if (fs::exists(folder, error)) return Exists(folder);
  if (!fs::is_directory(folder.parent_path(), error)) {
    return MakeError(
        absl::StatusCode::kFailedPrecondition, "CHECKPOINT_PARENT_MISSING",
        fmt::format("there is no folder {} to put the checkpoint in", folder.parent_path().string()));
  }
  const fs::path building = folder.parent_path() / fmt::format(".{}.building", folder.filename().string());
  fs::remove_all(building, error);  // of a checkpoint that was cut off
  const absl::Status status = MakeUnder(db, building, folder);
  if (!status.ok()) fs::remove_all(building, error);
  return status;
}

}  // namespace freqstore

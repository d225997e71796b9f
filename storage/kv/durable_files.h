// Files and folders that are on disk when a function returns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace freqstore {

/// Errors: RESOURCE_EXHAUSTED (DISK_FULL), INTERNAL (STORE_FAILED), both with the path and the system's
/// words.
absl::Status SyncFileOrFolder(const std::filesystem::path& path);

/// Syncs the regular files in a folder, then the folder.
absl::Status SyncFolderWithFiles(const std::filesystem::path& folder);

/// Copies a regular file's bytes, never by sharing them, and syncs the copy, which must not exist yet.
/// `progress` gets the bytes of each step.
absl::Status CopyFileDurably(const std::filesystem::path& from, const std::filesystem::path& to,
                             absl::FunctionRef<void(uint64_t)> progress);

absl::Status WriteFileDurably(const std::filesystem::path& path, std::string_view content);

/// Renames a folder and syncs its parent. Fails if `to` is there, unless it is an empty folder and
/// `replace_empty` is set.
absl::Status RenameFolderDurably(const std::filesystem::path& from, const std::filesystem::path& to,
                                 bool replace_empty);

}  // namespace freqstore

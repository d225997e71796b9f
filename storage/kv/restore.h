// A store from a checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace freqstore {

struct RestoreProgress {
  uint64_t bytes_done = 0;
  uint64_t bytes_total = 0;
};

/// Copies the checkpoint `from` (made by KvStore::Checkpoint()) to `store_folder`, which must be absent or
/// empty.
///
/// Everything is copied, never linked, so that the checkpoint stays independent; synced; checked against the
/// checksums that the checkpoint's MANIFEST holds; and then renamed into place. So after a kill at any moment
/// there is the whole store or none, and running it again works.
///
/// A store that was restored remembers from what: restoring the same checkpoint again is OK and does nothing,
/// however much was written to the store since.
///
/// Errors: NOT_FOUND (CHECKPOINT_NOT_FOUND), FAILED_PRECONDITION (RESTORE_TARGET_NOT_EMPTY), UNAVAILABLE
/// (RESTORE_RUNNING), DATA_LOSS (STORE_CORRUPT), RESOURCE_EXHAUSTED (DISK_FULL), INTERNAL (STORE_FAILED).
absl::Status RestoreCheckpoint(const std::filesystem::path& from, const std::filesystem::path& store_folder,
                               absl::FunctionRef<void(const RestoreProgress&)> progress);

}  // namespace freqstore

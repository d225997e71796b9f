// Consistent copies of an open store.
#pragma once

#include <filesystem>

#include <rocksdb/db.h>

#include "absl/status/status.h"

namespace freqstore {

/// See KvStore::Checkpoint().
absl::Status MakeCheckpoint(rocksdb::DB& db, const std::filesystem::path& folder);

}  // namespace freqstore

// Reads table files from disk and compares them with their checksums.
#pragma once

#include <filesystem>

#include <rocksdb/db.h>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "storage/kv/kv_state.h"

namespace freqstore {

/// See KvStore::VerifyTables().
absl::Status VerifyLiveTables(rocksdb::DB& db, const std::filesystem::path& folder,
                              absl::FunctionRef<bool(const KvTableCheck&)> report);

/// Opens the store in `folder` without changing it, reads its log, and checks every table of every family.
/// DATA_LOSS (STORE_CORRUPT) names what is damaged.
absl::Status VerifyStore(const std::filesystem::path& folder);

}  // namespace freqstore

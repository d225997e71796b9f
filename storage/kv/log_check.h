// Tells a log that was torn by a crash from one that was damaged later.
#pragma once

#include <filesystem>

#include "absl/status/status.h"

namespace freqstore {

/// Reads the logs in a store's folder, before RocksDB does. A record is written only once the one before it
/// is synced. So a crash may leave one broken record, the last, which was never acknowledged, and opening
/// drops it; but where another record follows a broken one, what was acknowledged was damaged, and opening
/// would drop all that follows, silently. Then: DATA_LOSS (STORE_CORRUPT), naming log and place.
absl::Status CheckLogs(const std::filesystem::path& folder);

}  // namespace freqstore

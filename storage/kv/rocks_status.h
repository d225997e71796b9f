// Conversions between RocksDB's types and ours.
#pragma once

#include <string_view>

#include <rocksdb/slice.h>
#include <rocksdb/status.h>

#include "absl/status/status.h"

namespace freqstore {

inline rocksdb::Slice ToSlice(std::string_view s) {
  return {s.data(), s.size()};
}
inline std::string_view FromSlice(const rocksdb::Slice& s) {
  return {s.data(), s.size()};
}

/// Whether it is room that is missing: of the file system, or of the user's quota.
bool IsDiskFull(const rocksdb::Status& status);

/// The one place where RocksDB's codes become our reasons.
absl::Status FromRocks(const rocksdb::Status& status);

}  // namespace freqstore

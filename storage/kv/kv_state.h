// What the store says of itself: health, memory, tables; and reservations of its memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace freqstore {

/// Whether writes are taken. Reads are in every state.
struct KvHealth {
  enum class State : uint8_t {
    kOk,
    kDegraded,  ///< writes are taken; space is not reclaimed, as compaction fails
    kDiskFull,  ///< writes are refused: RESOURCE_EXHAUSTED, DISK_FULL
    kReadOnly,  ///< writes are refused: UNAVAILABLE, STORE_READ_ONLY
  } state = State::kOk;

  /// Cause and way out; what a refused write gets. OK if all is well.
  absl::Status cause;
  /// When the state began; meaningless if all is well.
  std::chrono::system_clock::time_point since;

  bool writable() const { return state == State::kOk || state == State::kDegraded; }
};

/// Bytes in use. `cache + reserved` is within `capacity`, except for what of the cache is pinned at the
/// moment: values being read, and writes not yet in tables. (A read that finds the cache full of these is
/// served from memory beyond the capacity; it does not fail.)
struct KvMemory {
  uint64_t capacity = 0;
  uint64_t reserved = 0;       ///< by Reserve()
  uint64_t cache = 0;          ///< blocks, indexes and filters, and the charge of memtables
  uint64_t cache_pinned = 0;   ///< the part of it that cannot be let go now
  uint64_t memtables = 0;      ///< writes not yet in tables
  uint64_t table_readers = 0;  ///< per open table file, beside the cache
};

/// A part of the store's memory that somebody else uses. Gives it back when destroyed.
class KvReservation {
 public:
  virtual ~KvReservation() = default;
};

/// The check of one table file.
struct KvTableCheck {
  std::string file;  ///< name in the store's folder
  std::string family;
  int level = 0;
  uint64_t bytes = 0;
  std::string smallest_key;
  std::string largest_key;
  bool has_file_checksum = false;  ///< false for tables of early releases
  absl::Status status;             ///< OK, or DATA_LOSS (STORE_CORRUPT) naming the file
};

}  // namespace freqstore

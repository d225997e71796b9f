// The key-value store under everything: ordered byte strings in families, atomic batches, snapshots.
//
// Nothing above this folder knows that it is RocksDB.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/base/coding.h"

namespace freqstore {

/// A column family. The order is the order on disk: append only.
enum class Family : uint8_t { kCatalog, kDelta, kColumns, kEnvelopes, kRows, kResults };
inline constexpr size_t kFamilyCount = 6;
inline constexpr std::array<std::string_view, kFamilyCount> kFamilyNames = {"catalog",   "delta", "columns",
                                                                            "envelopes", "rows",  "results"};

struct KvOptions {
  uint64_t block_cache_bytes = uint64_t{256} << 20;
  uint64_t write_buffer_bytes = uint64_t{32} << 20;  ///< a family, before it is written out
  bool create_if_missing = true;
};

/// A read point. Reads through it see what was written before it was taken, and nothing later.
class KvSnapshot {
 public:
  virtual ~KvSnapshot() = default;
};

/// Changes that are applied together or not at all. Not thread-safe.
class KvBatch {
 public:
  void Put(Family family, std::string key, std::string value);
  void Delete(Family family, std::string key);
  /// Deletes every key that starts with `prefix`.
  void DeletePrefix(Family family, std::string prefix);
  /// Adds the changes of another batch behind these.
  void Append(KvBatch other);

  struct Change {
    enum class Kind : uint8_t { kPut, kDelete, kDeletePrefix } kind;
    Family family;
    std::string key;
    std::string value;
  };
  const std::vector<Change>& changes() const { return changes_; }

 private:
  std::vector<Change> changes_;
};

/// A value that was read, kept in place where possible. Valid until destroyed; may outlive its key, not the
/// store.
class KvValue {
 public:
  virtual ~KvValue() = default;
  virtual Bytes bytes() const = 0;
};

/// Keys with a common prefix in ascending order. Views are valid until Next(). Not thread-safe.
class KvCursor {
 public:
  virtual ~KvCursor() = default;
  virtual bool Valid() const = 0;
  virtual void Next() = 0;
  /// Moves to the first key of the prefix that is not below `key`.
  virtual void Seek(std::string_view key) = 0;
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  /// Why Valid() became false: OK at the end of the prefix.
  virtual absl::Status status() const = 0;
};

/// Entries of one family in strictly ascending key order.
struct SortedEntries {
  Family family;
  std::vector<std::pair<std::string, std::string_view>> entries;
};

/// Thread-safe. Errors: DATA_LOSS (STORE_CORRUPT), RESOURCE_EXHAUSTED (DISK_FULL), UNAVAILABLE (STORE_BUSY,
/// STORE_LOCKED), INTERNAL (STORE_FAILED).
class KvStore {
 public:
  virtual ~KvStore() = default;

  /// Opens, or makes, the store in a folder. One process may have it open.
  static absl::StatusOr<std::unique_ptr<KvStore>> Open(const std::filesystem::path& folder,
                                                       const KvOptions& options);

  virtual std::unique_ptr<KvSnapshot> Snapshot() = 0;

  /// nullopt if there is no such key.
  virtual absl::StatusOr<std::optional<std::string>> Get(Family family, std::string_view key,
                                                         const KvSnapshot* snapshot = nullptr) = 0;

  /// One element a key, null where there is none. `keys` ascend.
  virtual absl::StatusOr<std::vector<std::unique_ptr<KvValue>>> MultiGet(
      Family family, std::span<const std::string> keys, const KvSnapshot* snapshot = nullptr) = 0;

  virtual std::unique_ptr<KvCursor> Scan(Family family, std::string prefix,
                                         const KvSnapshot* snapshot = nullptr) = 0;

  /// Applies a batch. On return it survives power loss: the log is synced, together with other writers'
  /// batches.
  virtual absl::Status Write(const KvBatch& batch) = 0;

  /// Writes bulk data straight into table files, beside the log. Each element is atomic and survives power
  /// loss on return; keys must not exist yet.
  virtual absl::Status Ingest(std::span<const SortedEntries> runs) = 0;

  /// Gives back the disk space of deleted keys that start with `prefix`, unless a snapshot still needs them.
  /// Rewrites what lies beside them in the same files, so it may take long.
  virtual absl::Status Reclaim(Family family, std::string_view prefix) = 0;

  /// Bytes on disk of a family, approximate.
  virtual uint64_t DiskBytes(Family family) = 0;
};

/// The smallest string above every string that starts with `prefix`; empty if there is none (all bytes 0xff).
std::string PrefixEnd(std::string_view prefix);

}  // namespace freqstore

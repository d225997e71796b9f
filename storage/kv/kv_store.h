// The key-value store under everything: ordered byte strings in families, atomic batches, snapshots.
//
// Nothing above this folder knows that it is RocksDB.
//
// What survives what. A Write() or Ingest() that returned OK survives the process and power loss. One that
// failed is not visible afterwards. Nor is it after reopening: the tail that a failed write or sync left on
// the log is cut off again, and the bytes before it were synced. Only if the cut fails too, or if power goes
// before the cut is on disk, may the batch, whole, be there after reopening: who sent it was told that it
// failed, so sending it again must be harmless. A log whose damage lies before its last record does not open
// (DATA_LOSS): acknowledged writes are never dropped silently.
//
// When the disk fails. Reads go on. Writes fail at once, with the cause, and are tried again by the store
// itself until they work: see health(). No restart is needed, neither for a full disk nor for I/O errors.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/kv/kv_state.h"

namespace freqstore {

/// A column family. The order is the order on disk: append only.
enum class Family : uint8_t { kCatalog, kDelta, kColumns, kEnvelopes, kRows, kResults, kAttributes };
inline constexpr size_t kFamilyCount = 7;
inline constexpr std::array<std::string_view, kFamilyCount> kFamilyNames = {
    "catalog", "delta", "columns", "envelopes", "rows", "results", "attributes"};

struct KvOptions {
  /// Memory of the store: blocks that were read, indexes, filters, writes not yet in tables, and what others
  /// hold by Reserve(). See KvMemory.
  uint64_t memory_bytes = uint64_t{256} << 20;
  uint64_t write_buffer_bytes = uint64_t{32} << 20;  ///< a family, before it is written out
  /// Writes are refused while the file system has less room than this. The rest is for the store's own
  /// upkeep: writing out what is in memory (a quarter of memory_bytes at most), compaction of the small
  /// families, and deletions, by which a user makes room.
  uint64_t free_bytes_min = uint64_t{256} << 20;
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

  /// Says that the batch leads to space being freed, so that it may be written when space is short. A batch
  /// that only deletes needs not say so.
  void set_frees_space() { frees_space_ = true; }

  struct Change {
    enum class Kind : uint8_t { kPut, kDelete, kDeletePrefix } kind;
    Family family;
    std::string key;
    std::string value;
  };
  const std::vector<Change>& changes() const { return changes_; }
  bool frees_space() const;
  uint64_t bytes() const;  ///< of keys and values

 private:
  std::vector<Change> changes_;
  bool frees_space_ = false;
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
/// STORE_LOCKED; STORE_READ_ONLY: see health(); STORE_IO_ERROR: the disk failed this one operation), INTERNAL
/// (STORE_FAILED).
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

  /// Writes bulk data straight into table files, beside the log: all runs or none. It survives power loss on
  /// return; keys must not exist yet. A failed one leaves no file behind.
  virtual absl::Status Ingest(std::span<const SortedEntries> runs) = 0;

  /// Writes what is only in memory and in the log into table files: the next opening has no log to read.
  virtual absl::Status WriteOut() = 0;

  /// Gives back the disk space of deleted keys that start with `prefix`, unless a snapshot still needs them.
  /// Rewrites what lies beside them in the same files, so it may take long.
  virtual absl::Status Reclaim(Family family, std::string_view prefix) = 0;

  /// Reclaim() with a proof: true if every table file and every log that held keys with one of the prefixes
  /// when this was called is gone from the folder, so that values deleted before are in no file any more.
  /// False if some snapshot, cursor or value that is older may still need one of them: call again once it is
  /// released.
  /// Slow: also rewrites what nothing was deleted from. Holds for values; a deleted key may stay named in the
  /// MANIFEST as the bound of a former file. Blocks that the file system freed are not overwritten.
  virtual absl::StatusOr<bool> Purge(Family family, std::span<const std::string> prefixes) = 0;

  /// Bytes on disk of a family, approximate.
  virtual uint64_t DiskBytes(Family family) = 0;

  /// Whether writes are taken, and if not, why.
  virtual KvHealth health() = 0;

  /// Tries now what the store tries by itself every few seconds: to take writes again after an error. Gives
  /// the error that is still there. Only damaged memory or tables that cannot be written out need a restart.
  virtual absl::Status Resume() = 0;

  virtual KvMemory memory() const = 0;

  /// Takes `bytes` of the store's memory for a buffer of the caller's, and lets go of cached blocks instead.
  /// Null if they do not fit now; more than there is is granted once nothing else is reserved, so that a
  /// single huge buffer is slow rather than stuck. The store must outlive the reservation.
  virtual std::unique_ptr<KvReservation> Reserve(uint64_t bytes) = 0;

  /// Makes a consistent copy that opens as a store, of hard links where `folder` is in the same file system.
  /// `folder` must not exist (ALREADY_EXISTS, CHECKPOINT_EXISTS), its parent must; it appears when it is
  /// complete and on disk, or not at all. RestoreCheckpoint() is the way back.
  virtual absl::Status Checkpoint(const std::filesystem::path& folder) = 0;

  /// Reads every table file from disk, past the caches, and checks it against its checksums. `report` gets
  /// each one and returns false to stop (CANCELLED, VERIFY_STOPPED). Damage is reported, not returned: an
  /// error is what keeps the check itself from going on.
  virtual absl::Status VerifyTables(absl::FunctionRef<bool(const KvTableCheck&)> report) = 0;

  /// Counters since opening, and present values, by name: see rocks_statistics.cc.
  virtual std::map<std::string, uint64_t> statistics() const = 0;
};

/// The smallest string above every string that starts with `prefix`; empty if there is none (all bytes 0xff).
std::string PrefixEnd(std::string_view prefix);

}  // namespace freqstore

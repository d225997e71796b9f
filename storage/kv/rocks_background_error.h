// Errors that RocksDB meets in the background, or that stop its writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include <rocksdb/listener.h>
#include <rocksdb/status.h>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace freqstore {

/// What RocksDB reported and what is not over. Thread-safe.
class RocksBackgroundError {
 public:
  struct State {
    rocksdb::Status writes;  ///< OK while writes work
    rocksdb::Status compaction;
    std::chrono::system_clock::time_point since;
    uint64_t count = 0;      ///< of errors of writes, ever
    bool recovered = false;  ///< RocksDB has got over it
  };

  /// Writes have failed.
  void SetWrites(const rocksdb::Status& status);
  /// RocksDB takes writes again.
  void SetRecovered();
  /// Ends an error of writes, unless there was another one since `count` of them.
  bool ClearWrites(uint64_t count);
  /// A compaction has failed, or not.
  void SetCompaction(const rocksdb::Status& status);

  State Get() const;

  /// Waits for the error of writes to end; false if it does not in time.
  bool AwaitWritable(absl::Duration patience) const;
  /// Waits for writes to fail; false when Stop() was called.
  bool AwaitError() const;
  /// Waits for SetRecovered(); false if it does not come in time.
  bool AwaitRecovered(absl::Duration patience) const;
  void Stop();

 private:
  mutable absl::Mutex mutex_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  State state_ ABSL_GUARDED_BY(mutex_);
};

/// Tells `error` of what happens to the database that it is given to.
std::shared_ptr<rocksdb::EventListener> ListenForErrors(std::shared_ptr<RocksBackgroundError> error);

}  // namespace freqstore

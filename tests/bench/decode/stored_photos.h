// The photos of the benchmark in a store of their own.
#pragma once

#include <memory>
#include <span>

#include "storage/codec/layout.h"
#include "storage/engine/storage_engine.h"
#include "tests/bench/decode/photo_set.h"

namespace freqstore::bench {

/// From JPEG bytes in memory to committed, synced segments in RocksDB, with one ingest thread.
struct IngestTimes {
  double wall_seconds = 0;
  double cpu_seconds = 0;  ///< of all threads of the process, RocksDB's among them
};

/// A dataset `photos` in a folder that is removed afterwards.
class StoredPhotos {
 public:
  /// Throws std::runtime_error if an image is refused.
  StoredPhotos(std::span<const Photo> photos, Layout layout);
  ~StoredPhotos();

  const IngestTimes& times() const { return times_; }
  std::shared_ptr<const DatasetSnapshot> Snapshot() const { return engine_->Snapshot("photos").value(); }

  /// Opens the store anew, with none of its files in the kernel's cache.
  void ReopenCold();

 private:
  class Folder;
  void Open();

  std::unique_ptr<Folder> folder_;
  std::unique_ptr<StorageEngine> engine_;
  IngestTimes times_;
};

}  // namespace freqstore::bench

// Importing photos into a store.
#pragma once

#include <span>

#include "storage/codec/layout.h"
#include "tests/bench/decode/photo_set.h"

namespace freqstore::bench {

struct IngestTimes {
  double wall_seconds = 0;
  double cpu_seconds = 0;  ///< of all threads of the process, RocksDB's among them
};

/// JPEG bytes in memory to committed, synced segments in RocksDB, in a folder of its own that is removed
/// afterwards; one ingest thread. Throws std::runtime_error if an image is refused.
IngestTimes RunIngest(std::span<const Photo> photos, Layout layout);

}  // namespace freqstore::bench

// Reading from a store: one image by id, and a scan of what is on disk only.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/device/device.h"
#include "tests/bench/decode/photo_set.h"
#include "tests/bench/decode/stored_photos.h"

namespace freqstore::bench {

/// Median milliseconds to find an image by its id, read its columns and make its k/8 pixels; everything has
/// been read before.
double LookupMilliseconds(const StoredPhotos& stored, std::span<const Photo> photos, int k, Device& device);

struct ScanReads {
  uint64_t needed_bytes = 0;  ///< of the chunks of the projection
  uint64_t disk_bytes = 0;    ///< read from the disk meanwhile; 0 if files are in memory
};

/// Reads the columns of a scan at k/8 with nothing in any cache.
ScanReads ScanCold(StoredPhotos& stored, int k);

}  // namespace freqstore::bench

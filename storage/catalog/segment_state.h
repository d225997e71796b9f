// What changes of a segment while its columns stay: which images were deleted, bounds of attributes, whether
// it is read.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/attribute/zone_map.h"
#include "storage/base/row_set.h"

namespace freqstore {

struct SegmentState {
  explicit SegmentState(size_t images) : deleted(images) {}

  RowSet deleted;
  uint64_t deleted_file_bytes = 0;
  std::map<uint32_t, ZoneMap> zones;  ///< of the attribute columns there are
  std::string quarantine;             ///< why the segment is not read any more; empty if it is
};

storage::v1::SegmentState ToStored(const SegmentState& state);

/// Of a segment of `images` images. DATA_LOSS (CORRUPT_CATALOG).
absl::StatusOr<SegmentState> FromStored(const storage::v1::SegmentState& stored, size_t images);

}  // namespace freqstore

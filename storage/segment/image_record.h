// One image's row: its identity, geometry and system attributes.
#pragma once

#include <cstdint>
#include <string>

#include "storage/base/image_geometry.h"
#include "storage/jpeg/jpeg_envelope.h"

namespace freqstore {

struct ImageRecord {
  std::string image_id;  ///< unique in its dataset
  ImageGeometry geometry;
  bool progressive = false;
  bool truncated = false;
  uint32_t warnings = 0;
  uint8_t quality = 0;         ///< estimate, 0 if unknown
  uint64_t file_bytes = 0;     ///< of the original file
  std::string sha256;          ///< of the original file, 32 raw bytes
  int64_t import_time_us = 0;  ///< microseconds since 1970-01-01 UTC
  /// kNone if the original file is rebuilt from the columns and an envelope; else why it is kept whole.
  KeepReason keep_reason = KeepReason::kNone;

  std::string duplicate_of;  ///< the image_id that had the same content when this one came; empty if none

  friend bool operator==(const ImageRecord&, const ImageRecord&) = default;
};

}  // namespace freqstore

// What a JPEG file may ask for.
#pragma once

#include <cstdint>

namespace freqstore {

/// Bounds that are checked before memory is taken. Beyond one: RESOURCE_EXHAUSTED with the reason given here
/// and a message that names the value of the limit.
struct JpegLimits {
  uint64_t pixels_max = 178'000'000;  ///< LIMIT_PIXELS
  uint32_t scans_max = 100;           ///< LIMIT_SCANS: each costs as much time as the coefficients
  uint32_t markers_max = 4096;        ///< LIMIT_MARKERS: marker segments up to EOI
  /// LIMIT_MARKER_BYTES: bytes up to EOI that are no entropy-coded data: metadata, profiles, garbage.
  uint64_t marker_bytes_max = uint64_t{16} << 20;
};

}  // namespace freqstore

// Coefficients and envelope to the JPEG file that they came from, byte for byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/image_geometry.h"
#include "storage/jpeg/byte_sink.h"

namespace freqstore {

/// Writes the file that `envelope` was made from to `sink`, in pieces of some 32 KB.
///
/// `geometry` and `components` are those that ReadJpeg gave for it: a component's planes are all 64
/// frequencies on its grid, wide or narrow. Nothing is trusted. Error (DATA_LOSS): CORRUPT_ENVELOPE if the
/// three do not go together, a coefficient cannot be coded, or the sink refused bytes; then what the sink got
/// is of no use. Thread-safe.
absl::Status WriteJpeg(Bytes envelope, const ImageGeometry& geometry,
                       std::span<const CoefficientPlanes> components, ByteSink& sink);

/// The same, as a string of up to `file_bytes_max` bytes; a file that would be longer is an error as above.
absl::StatusOr<std::string> WriteJpeg(Bytes envelope, const ImageGeometry& geometry,
                                      std::span<const CoefficientPlanes> components, size_t file_bytes_max);

}  // namespace freqstore

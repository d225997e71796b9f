// The rows of a segment (or of one delta image) as checksummed bytes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/segment/image_record.h"

namespace freqstore {

/// Serialises rows in order. Grids are not stored: they must be those of ExpectedGrid(). Quantisers that
/// repeat are stored once. See FORMAT.md, "Image table".
std::string EncodeImageTable(std::span<const ImageRecord> images);

/// The inverse. `bytes` are not trusted: DATA_LOSS, reason CORRUPT_IMAGE_TABLE or UNKNOWN_VERSION. Every
/// geometry that comes back is consistent: a size of 1..65535, as many components as the colour model has,
/// sampling factors 1..4, grids that follow from the size, quantisers at least 1.
absl::StatusOr<std::vector<ImageRecord>> DecodeImageTable(Bytes bytes);

}  // namespace freqstore

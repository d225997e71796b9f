// The envelopes of a segment, as stored: a block (storage/jpeg/ENVELOPE.md) and its checksum.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/base/coding.h"

namespace freqstore {

/// An envelope an image, in the order of the segment; empty for those whose file is kept whole. The value:
/// the block, then its XXH3-64, little-endian.
std::string SealEnvelopes(std::span<const std::string> envelopes);

/// The envelopes of `images` images. DATA_LOSS (CORRUPT_ENVELOPE, CHECKSUM_MISMATCH).
absl::StatusOr<std::vector<std::string>> OpenEnvelopes(Bytes value, size_t images);

}  // namespace freqstore

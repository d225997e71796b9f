// The envelopes of a segment's images as one compressed byte string.
//
// They are compressed together, in the order of the images, so that what many files share (profiles, camera
// data, headers) is stored once. ENVELOPE.md specifies the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/base/coding.h"

namespace freqstore {

/// Envelopes in a block.
inline constexpr size_t kEnvelopesMax = 65536;

/// Compresses up to kEnvelopesMax envelopes. An empty one, of an image whose file is kept whole, takes a
/// byte.
std::string CompressEnvelopes(std::span<const std::string> envelopes);

/// A block, decompressed. Immutable, so thread-safe. Carries no checksum: whoever stores a block has its own.
class EnvelopeBlock {
 public:
  /// Error (DATA_LOSS): CORRUPT_ENVELOPE if the bytes are no block, or of one whose envelopes would take more
  /// than `bytes_max` bytes; no more memory than that is taken.
  static absl::StatusOr<EnvelopeBlock> Decompress(Bytes block, size_t bytes_max);

  size_t size() const { return ends_.size(); }

  /// Envelope i < size(); valid as long as the block.
  Bytes envelope(size_t i) const;

 private:
  std::vector<uint8_t> bytes_;
  size_t start_ = 0;  ///< of the first envelope in bytes_
  std::vector<size_t> ends_;
};

}  // namespace freqstore

// Reads images, or some frequencies of them, out of chunks.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/base/coefficient_planes.h"
#include "storage/codec/column.h"
#include "storage/segment/image_record.h"

namespace freqstore {

struct ChunkView {
  ColumnId id;
  Bytes bytes;
};

/// The chunks of a projection of one segment. Immutable and thread-safe; does not own the bytes, nor the
/// rows: both must outlive it.
class SegmentReader {
 public:
  /// Checks headers and counts against `images`; a chunk that fails is remembered and its status is given for
  /// each image that needs it, so that the others still serve. Checksums are verified here, once a chunk.
  SegmentReader(std::span<const ImageRecord> images, std::span<const ChunkView> chunks);
  ~SegmentReader();
  SegmentReader(SegmentReader&&) noexcept;
  SegmentReader& operator=(SegmentReader&&) noexcept;

  std::span<const ImageRecord> images() const;

  /// Decodes `columns` of the image at `ordinal` into `out`, one element a component of its geometry
  /// (components without a requested column become empty planes). Errors: DATA_LOSS (CORRUPT_CHUNK,
  /// CHECKSUM_MISMATCH, UNKNOWN_CODEC, UNKNOWN_VERSION); INTERNAL (MISSING_CHUNK) if a column was not given
  /// to the constructor.
  absl::Status DecodeImage(size_t ordinal, const ColumnSet& columns,
                           std::vector<CoefficientPlanes>& out) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace freqstore

// The chunks of some columns of a segment, opened for decoding.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/codec/column.h"
#include "storage/codec/column_codec.h"
#include "storage/segment/image_record.h"

namespace freqstore {

struct ChunkView {
  ColumnId id;
  Bytes bytes;
};

/// The chunks of a projection of one segment. Immutable and thread-safe; does not own the bytes, nor the
/// rows: both must outlive it. SegmentDecoder decodes.
class SegmentReader {
 public:
  /// Checks headers and counts against `images`; a chunk that fails is remembered and its status is given for
  /// each image that needs it, so that the others still serve. `level` must be supported by this machine.
  SegmentReader(std::span<const ImageRecord> images, std::span<const ChunkView> chunks,
                SimdLevel level = BestSimdLevel());
  ~SegmentReader();
  SegmentReader(SegmentReader&&) noexcept;
  SegmentReader& operator=(SegmentReader&&) noexcept;

  std::span<const ImageRecord> images() const;
  SimdLevel level() const;

  /// The decoder of a column, or why there is none: DATA_LOSS (CORRUPT_CHUNK, CHECKSUM_MISMATCH,
  /// UNKNOWN_CODEC, UNKNOWN_VERSION); INTERNAL (MISSING_CHUNK) if the column was not given to the
  /// constructor.
  absl::StatusOr<const ColumnDecoder*> FindColumn(ColumnId id) const;

  /// How many images a substream has; all columns agree.
  size_t images_per_substream() const;

  /// Verifies the checksum of a substream of a column that FindColumn finds, and starts to decode it.
  /// DATA_LOSS (CORRUPT_CHUNK, CHECKSUM_MISMATCH).
  absl::Status StartSubstream(ColumnId id, size_t substream, ColumnCursor& cursor) const;

  /// `columns` and all that must be decoded before them.
  ColumnSet Close(const ColumnSet& columns) const;

  /// Decodes `columns` of the image at `ordinal` into `out`, one element a component of its geometry
  /// (components without a requested column become empty planes). For one image now and then: whoever wants
  /// several keeps a SegmentDecoder. Errors: those of FindColumn and SegmentDecoder.
  absl::Status DecodeImage(size_t ordinal, const ColumnSet& columns,
                           std::vector<CoefficientPlanes>& out) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace freqstore

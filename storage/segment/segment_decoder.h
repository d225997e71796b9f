// Decodes images of a segment, keeping the memory that this takes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/codec/column.h"
#include "storage/codec/r32_kernels.h"
#include "storage/segment/segment_reader.h"

namespace freqstore {

class Strand;

/// One image to decode.
struct ImageRequest {
  size_t ordinal = 0;  ///< in the segment
  ColumnSet columns;
};

/// Not thread-safe: one a thread. Keeps memory for images of ordinary size.
///
/// A substream's checksums are verified whenever it is begun. Where a column is sequential, it is decoded
/// from its first image to the last that was asked for, and two substreams side by side, which is faster than
/// one: ask for whole substreams, and two at a time, where you can.
class SegmentDecoder {
 public:
  /// Called once a request, in no particular order: index of the request, OK or why not, and the planes, one
  /// element a component of the image's geometry, with the requested frequencies. The planes may be swapped
  /// for others, whose memory is used for images to come.
  using Consume = absl::FunctionRef<void(size_t, const absl::Status&, std::vector<CoefficientPlanes>&)>;

  explicit SegmentDecoder(SimdLevel level = BestSimdLevel());
  ~SegmentDecoder();
  SegmentDecoder(const SegmentDecoder&) = delete;
  SegmentDecoder& operator=(const SegmentDecoder&) = delete;

  /// Errors of an image: those of SegmentReader::FindColumn, DATA_LOSS (CORRUPT_CHUNK, CHECKSUM_MISMATCH),
  /// INTERNAL (ORDINAL_OUT_OF_RANGE).
  void Decode(const SegmentReader& reader, std::span<const ImageRequest> requests, Consume consume);

 private:
  Strand& StrandAt(size_t index);
  void ReleaseMemory();

  static constexpr size_t kStrands = kR32StrandsMax;
  const SimdLevel level_;
  std::array<std::unique_ptr<Strand>, kStrands> strands_;
};

}  // namespace freqstore

// Codecs in which each image of a column has bytes of its own, its run, so that it can be decoded alone.
//
// A run is what a substream is made of (storage/segment/FORMAT.md). Codecs are stateless, immutable and
// thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/base/dct.h"

namespace freqstore {

/// One image's values of the column, in raster order: as many as its grid has blocks.
using ImageValues = std::span<const int16_t>;

/// What a codec knows of a substream beside its values.
struct SubstreamShape {
  int frequency = 0;                 ///< zigzag index of the column; 0 is DC
  std::span<const BlockGrid> grids;  ///< one an image, in order; 0 blocks where an image lacks the component
  uint64_t values() const;           ///< sum of the grids' blocks
};

class RunCodec {
 public:
  virtual ~RunCodec() = default;

  /// Appends the runs of the images of `shape` to `out`; `images` has the values of each.
  virtual void Encode(const SubstreamShape& shape, std::span<const ImageValues> images,
                      std::string& out) const = 0;

  /// Writes where in `substream` the run of each image starts, and behind them where the last one ends, to
  /// `offsets` (one element more than the shape has images). `substream` is not trusted: DATA_LOSS (reason
  /// CORRUPT_CHUNK) unless its length is exactly what `shape` and the bytes themselves promise.
  virtual absl::Status LocateRuns(const SubstreamShape& shape, Bytes substream,
                                  std::span<uint32_t> offsets) const = 0;

  /// Whether the values of a run that LocateRuns found fit int8 for certain; never with DC.
  virtual bool IsNarrow(int frequency, const BlockGrid& grid, Bytes run) const = 0;

  /// Decodes one image from its run into `out`, which has as many elements as `grid` has blocks. `run` is not
  /// trusted: DATA_LOSS (reason CORRUPT_CHUNK) unless its length is exactly right. Reads and writes nothing
  /// beyond the views.
  virtual absl::Status DecodeRun(int frequency, const BlockGrid& grid, Bytes run,
                                 std::span<int16_t> out) const = 0;

  /// The same for a run that IsNarrow.
  virtual absl::Status DecodeNarrowRun(Bytes run, std::span<int8_t> out) const = 0;
};

}  // namespace freqstore

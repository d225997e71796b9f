// How the values of one column of some images become bytes, and back.
//
// A chunk is one column's bytes in one segment; its substreams are independently decodable groups of images
// (storage/segment/FORMAT.md). A ColumnCodec codes one substream. Codecs are stateless, immutable and
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

/// Values are stored: never renumber.
enum class CodecId : uint8_t {
  kRaw = 1,   ///< int16, little-endian
  kBp32 = 2,  ///< bit packing of 32 zigzag values
  kR32 = 3,   ///< 32-lane rANS with contexts from lower frequencies
};

/// One image's values of the column, in raster order: as many as its grid has blocks.
using ImageValues = std::span<const int16_t>;

/// What a codec knows of a substream beside its values.
struct SubstreamShape {
  int frequency = 0;                 ///< zigzag index of the column; 0 is DC
  std::span<const BlockGrid> grids;  ///< one an image, in order; 0 blocks where an image lacks the component
  uint64_t values() const;           ///< sum of the grids' blocks
};

/// In the codecs of today each image of a substream has bytes of its own, its run, so that it can be decoded
/// alone.
class ColumnCodec {
 public:
  virtual ~ColumnCodec() = default;
  virtual CodecId id() const = 0;
  virtual std::string_view name() const = 0;

  /// Appends the substream of the images of `shape` to `out`; `images` has the values of each.
  virtual void Encode(const SubstreamShape& shape, std::span<const ImageValues> images,
                      std::string& out) const = 0;

  /// Writes where in `substream` the run of each image starts, and behind them where the last one ends, to
  /// `offsets` (one element more than the shape has images). `substream` is not trusted: DATA_LOSS (reason
  /// CORRUPT_CHUNK) unless its length is exactly what `shape` and the bytes themselves promise.
  virtual absl::Status LocateRuns(const SubstreamShape& shape, Bytes substream,
                                  std::span<uint32_t> offsets) const = 0;

  /// Decodes one image from its run into `out`, which has as many elements as `grid` has blocks. `run` is not
  /// trusted: DATA_LOSS (reason CORRUPT_CHUNK) unless its length is exactly right. Reads and writes nothing
  /// beyond the views.
  virtual absl::Status DecodeRun(int frequency, const BlockGrid& grid, Bytes run,
                                 std::span<int16_t> out) const = 0;
};

/// The codec of an id, in its fastest implementation for this machine, or DATA_LOSS (reason UNKNOWN_CODEC).
/// The object lives for ever.
absl::StatusOr<const ColumnCodec*> FindCodec(CodecId id);

}  // namespace freqstore

// How one column of a segment is decoded, whatever codec it is in.
//
// A chunk is one column's bytes in one segment; its substreams are independently decodable groups of images
// (storage/segment/FORMAT.md). A ColumnCodec opens chunks; a ColumnDecoder decodes one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/dct.h"
#include "storage/codec/column.h"
#include "storage/codec/context_planes.h"
#include "storage/codec/r32_kernels.h"

namespace freqstore {

/// Values are stored: never renumber.
enum class CodecId : uint8_t {
  kRaw = 1,   ///< int16, little-endian
  kBp32 = 2,  ///< bit packing of 32 zigzag values, with exceptions
  kR32 = 3,   ///< 32-lane rANS with contexts from lower frequencies
};

/// What a chunk says of its column. Views, which outlive whoever is opened with them.
struct ColumnData {
  ColumnId id;
  std::span<const BlockGrid> grids;  ///< one an image of the segment; 0 blocks where it lacks the component
  Bytes head;                        ///< what the codec has in front of its substreams
};

/// The bytes of one image in one column, in codecs where there are such.
struct RunView {
  Bytes bytes;
  bool is_narrow = false;  ///< decoded as int8
};

/// Where decoding stands in a substream. Its memory serves one substream after the other.
struct ColumnCursor {
  // Codecs of runs:
  size_t first_image = 0;
  std::vector<RunView> runs;
  // Sequential ones:
  R32Stream stream;
  bool all_zero = false;
};

/// One image to decode.
struct DecodeTarget {
  size_t image = 0;                     ///< of the segment; has the component
  CoefficientPlanes* planes = nullptr;  ///< of the component; has the frequency, as wide as IsNarrow says
  ColumnCursor* cursor = nullptr;       ///< of the image's substream
  // For sequential columns only:
  ContextPlanes* contexts = nullptr;              ///< of the same planes
  ContextPlanes* contexts_of_previous = nullptr;  ///< of the component before; null if grids differ
  absl::Status status;                            ///< the result
};

inline constexpr size_t kTargetsMax = 8;

/// Reads one column of one segment. Immutable and thread-safe.
class ColumnDecoder {
 public:
  virtual ~ColumnDecoder() = default;

  /// The columns of an image that must be decoded before this one.
  virtual ColumnSet contexts() const = 0;

  /// True if the images of a substream must be decoded in order, from the first, with contexts.
  virtual bool sequential() const = 0;

  /// Starts with the bytes of a substream, which holds `images` images from `first_image` on. Views them.
  /// DATA_LOSS (reason CORRUPT_CHUNK).
  virtual absl::Status StartSubstream(Bytes substream, size_t first_image, size_t images,
                                      ColumnCursor& cursor) const = 0;

  /// Whether the values of an image of a substream that was started are to be decoded as int8.
  virtual bool IsNarrow(size_t image, const ColumnCursor& cursor) const = 0;

  /// OK if nothing is left of the substream: to be asked after its last image.
  virtual absl::Status FinishSubstream(const ColumnCursor& cursor) const = 0;

  /// Decodes up to kTargetsMax images of substreams that were started. Of a sequential column: the next
  /// images of one or two, those of one substream in order and together. What was stored is not trusted:
  /// DATA_LOSS (reason CORRUPT_CHUNK). Reads and writes nothing beyond the views and planes.
  virtual void Decode(std::span<DecodeTarget> targets) const = 0;
};

class ColumnCodec {
 public:
  virtual ~ColumnCodec() = default;
  virtual CodecId id() const = 0;
  virtual std::string_view name() const = 0;

  /// Checks all that can be checked without decoding: DATA_LOSS (reason CORRUPT_CHUNK).
  virtual absl::StatusOr<std::unique_ptr<const ColumnDecoder>> Open(const ColumnData& data) const = 0;
};

/// The codec of an id, in its fastest implementation for this machine, or DATA_LOSS (reason UNKNOWN_CODEC).
/// The object lives for ever.
absl::StatusOr<const ColumnCodec*> FindCodec(CodecId id);

/// The same at a level that this machine supports.
absl::StatusOr<const ColumnCodec*> FindCodec(CodecId id, SimdLevel level);

}  // namespace freqstore

// Codecs in which each image of a column has bytes of its own, its run, so that it can be decoded alone.
//
// Substreams are made of runs (run_column.h, storage/segment/FORMAT.md). Codecs are stateless, immutable and
// thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "storage/base/coding.h"
#include "storage/base/dct.h"

namespace freqstore {

class RunCodec {
 public:
  virtual ~RunCodec() = default;

  /// Appends the run of an image: `values` of the column `frequency` (a zigzag index; 0 is DC), in raster
  /// order, as many as `grid` has blocks. True if the run is narrow: DecodeNarrowRun can decode it.
  virtual bool EncodeRun(int frequency, const BlockGrid& grid, std::span<const int16_t> values,
                         std::string& out) const = 0;

  /// Decodes a run into `out`, which has as many elements as `grid` has blocks. `run` is not trusted:
  /// DATA_LOSS (reason CORRUPT_CHUNK) unless its length is exactly right. Reads and writes nothing beyond the
  /// views.
  virtual absl::Status DecodeRun(int frequency, const BlockGrid& grid, Bytes run,
                                 std::span<int16_t> out) const = 0;

  /// The same for a run that is narrow, as all its values fit int8; never of DC. The same error if it is not.
  virtual absl::Status DecodeNarrowRun(Bytes run, std::span<int8_t> out) const = 0;

  /// No run of as many values is shorter.
  virtual uint64_t BytesMin(uint64_t values) const = 0;
};

}  // namespace freqstore

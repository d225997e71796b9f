// A substream of r32 without a segment around it: the column's context columns have made-up values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/codec/column.h"
#include "storage/codec/r32_model.h"

namespace freqstore::testutil {

/// The values of a column: an element an image.
using ColumnValues = std::vector<std::vector<int16_t>>;

/// What decoding a column goes through.
enum class DecodeStage { kOpen, kStart, kDecode, kFinish };

/// Encodes and decodes one column of images that are all in one substream.
class R32Workbench {
 public:
  /// Every second image's component before has the same grid, so that it can be referred to.
  R32Workbench(ColumnId id, std::vector<BlockGrid> grids);

  /// The substream of `values`, whose tokens are in `model`.
  std::string Encode(SimdLevel level, const R32Model& model, const ColumnValues& values) const;

  /// Opens, starts, decodes and finishes; `payload` starts with the head. The first error, or the values;
  /// `stage` is set to the last one begun.
  absl::StatusOr<ColumnValues> Decode(SimdLevel level, Bytes payload, size_t head_bytes,
                                      DecodeStage& stage) const;

 private:
  struct Image {
    CoefficientPlanes planes;    ///< the context columns, and room for the column itself
    CoefficientPlanes previous;  ///< of the component before
    bool has_previous = false;
  };
  Image MakeImage(size_t index, const ColumnSet& contexts, bool is_narrow) const;

  const ColumnId id_;
  const std::vector<BlockGrid> grids_;
};

}  // namespace freqstore::testutil

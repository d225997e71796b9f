// The hot loops of rendering, compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/cpu/render/group_terms.h"
#include "gpu/cpu/render/kept_frequencies.h"
#include "gpu/cpu/render/lane_operator.h"
#include "gpu/kernels/axis_operator.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// Rows of the output are made in groups of this many. On the way by transpositions (HorizontalGroup,
/// ColorGroup) a group lies column by column: element x * kRowGroup + r is pixel x of row r. The way by lanes
/// (LaneRows, TensorRow) needs none, but not every operator has that layout.
inline constexpr size_t kRowGroup = 16;

/// Lanes of the widest vectors, and so blocks of the widest window of a LaneOperator.
inline constexpr size_t kWindowMax = 16;

/// The vertical pass over a row of blocks: to each row of a group that it is part of, for each horizontal
/// frequency u and block column, the sum over the kept vertical frequencies of weight times coefficient.
struct VerticalBlockRow {
  const KeptFrequencies* kept;
  size_t first_block;  ///< of the planes
  size_t columns;      ///< multiple of kRowGroup
  const VerticalTerm* terms;
  size_t count;
  const float* weights;  ///< of the operator; not aligned
  float* out;            ///< the rows of the group: kept.side_x planes of `columns` sums each
  size_t out_stride;     ///< from row to row
};

/// The horizontal pass of a row group, an AxisOperator over a tile that holds frequency u of block b, for the
/// rows of the group, at ((b - first_block) * side + u) * kRowGroup.
struct HorizontalGroup {
  const AxisOperator::Row* rows;
  size_t count;
  const float* weights;
  size_t side;
  uint32_t first_block;
  const float* tile;
  float* out;  ///< count * kRowGroup
};

/// Pixels of a row group whose colour is to be converted, in place. Values are centred on 0 (128 not yet
/// added).
struct ColorGroup {
  float*
      planes[kComponentsMax];  ///< of `count` values, those of the colour model; the first three are written
  size_t count;                ///< multiple of kRowGroup
  ColorModel color;
};

/// What a tensor wants of the channels R, G, B: (value - mean) * scale.
struct ChannelScaling {
  float mean[3];
  float scale[3];
};

/// The horizontal pass of some rows by a LaneOperator.
struct LaneRows {
  LaneGroups groups;
  size_t rows;
  const float* sums;   ///< `rows` times planes of the horizontal frequencies; kWindowMax more may be read
  size_t sums_stride;  ///< from row to row
  size_t columns;      ///< of a plane
  float* out;          ///< `rows` rows, of a vector a group
  size_t out_stride;
};

/// A row of a tensor, of values centred on 0.
struct TensorRow {
  const float* values[kComponentsMax];  ///< those of the colour model: `count` rounded up to kRowGroup
  size_t count;
  ColorModel color;
  ChannelScaling scaling;
  float* planes[3];  ///< R, G, B: `count` values each, not aligned
};

/// All float pointers are aligned to 64 bytes unless said; strides and counts are in elements.
struct RenderLoops {
  size_t lanes;         ///< that a LaneOperator for `lane_rows` has
  bool lane_rows_fast;  ///< whether `lane_rows` is faster than `horizontal` with its transpositions

  void (*vertical)(const VerticalBlockRow& row);

  /// out[c * out_stride + r] = in[r * in_stride + c] for r < kRowGroup and c < columns, a multiple of
  /// kRowGroup.
  void (*rows_to_columns)(const float* in, size_t in_stride, size_t columns, float* out, size_t out_stride);

  void (*horizontal)(const HorizontalGroup& group);

  void (*lane_rows)(const LaneRows& rows);

  /// Converts to R, G, B and normalises.
  void (*tensor_row)(const TensorRow& row);

  /// Converts to R, G, B and normalises.
  void (*normalize)(const ColorGroup& group, const ChannelScaling& scaling);

  /// Converts to R, G, B of 8 bits and leaves, in planes[0], r + 256 * g + 65536 * b as the bits of an
  /// uint32.
  void (*pack_rgb)(const ColorGroup& group);

  /// out[r * out_stride + c] = in[c * kRowGroup + r] for r < rows <= kRowGroup and c < columns. `out` is not
  /// aligned.
  void (*columns_to_rows)(const float* in, size_t columns, size_t rows, float* out, size_t out_stride);
};

// Loops must not call inline functions that are not always inlined (std::span, std::array): see
// host_device.h. That is why the structs above hold plain pointers and arrays.

/// The loops of `level`, which the machine must have.
const RenderLoops& RenderLoopsFor(SimdLevel level);

extern const RenderLoops kScalarRenderLoops;
extern const RenderLoops kAvx2RenderLoops;
extern const RenderLoops kAvx512RenderLoops;

}  // namespace freqstore

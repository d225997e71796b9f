// The hot loops of rendering, compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/cpu/render/kept_frequencies.h"
#include "gpu/kernels/axis_operator.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// Rows of the output are made in groups of this many. Between the horizontal and the last pass a group lies
/// column by column: element x * kRowGroup + r is pixel x of row r.
inline constexpr size_t kRowGroup = 16;

/// One row of the vertical pass: for each horizontal frequency u and block column, the sum over the row's
/// blocks and the kept vertical frequencies of weight times coefficient.
struct VerticalRow {
  const float* const* block_rows;  ///< a pointer a block: kept.size planes of `columns` dequantised values
  size_t blocks;
  const float* weights;  ///< blocks * side, block by block
  size_t side;
  const KeptFrequencies* kept;
  size_t columns;  ///< multiple of kRowGroup
  float* out;      ///< kept.side_x planes of `columns`
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
  float* planes[3];  ///< of `count` values; all three are written
  size_t count;      ///< multiple of kRowGroup
  ColorModel color;
};

/// What a tensor wants of the channels R, G, B.
struct ChannelScaling {
  float mean[3];
  float scale[3];
};

/// All float pointers are aligned to 64 bytes unless said; strides and counts are in elements.
struct RenderLoops {
  /// out[i] = values[i] * step. `values` and `out` (aligned) of `count`.
  void (*dequantize)(const int16_t* values, size_t count, float step, float* out);

  void (*vertical)(const VerticalRow& row);

  /// out[c * out_stride + r] = in[r * in_stride + c] for r < kRowGroup and c < columns, a multiple of
  /// kRowGroup.
  void (*rows_to_columns)(const float* in, size_t in_stride, size_t columns, float* out, size_t out_stride);

  void (*horizontal)(const HorizontalGroup& group);

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

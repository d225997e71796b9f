// Inverse transform and resize as one linear operator an axis.
//
// A row of the operator makes one output pixel: it lists, for a few neighbouring blocks, the weight of each
// kept frequency along the axis. Applied down the columns of a component and then along its rows, two
// operators turn coefficients into the pixels of the rendered image; nothing of full size is made in between.
//
// The resize runs over the image's own pixels. A subsampled component is interpolated between its samples, as
// decoders upsample it; that is linear and so a part of the operator. Resizing chroma from its own samples
// instead would skip that blur: 0.44 of 255 off full decode on subsampled photos, and 0.5 points of top-1.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/kernels/placement.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// One axis of a component. It covers the image with `image_size` * samp / samp_max samples, a number that
/// need not be whole: image coordinate x is component coordinate x * samp / samp_max, chroma samples lie
/// centred.
struct ComponentAxis {
  uint32_t image_size = 0;
  uint8_t samp = 1;
  uint8_t samp_max = 1;

  double extent() const { return static_cast<double>(image_size) * samp / samp_max; }
  /// The samples that the extent touches; beyond them a block holds padding, which is never read.
  uint32_t samples() const {
    return static_cast<uint32_t>((uint64_t{image_size} * samp + samp_max - 1) / samp_max);
  }
  friend auto operator<=>(const ComponentAxis&, const ComponentAxis&) = default;
};

/// The horizontal and the vertical axis of component `index`.
ComponentAxis HorizontalAxis(const ImageGeometry& geometry, size_t index);
ComponentAxis VerticalAxis(const ImageGeometry& geometry, size_t index);

/// How a block's kept coefficients become the samples that are resized.
enum class BlockTransform : uint8_t {
  kEightPoint,  ///< the 8-point inverse transform, missing frequencies being zero
  kMatched,     ///< as many points as frequencies are kept, weighted (gpu/kernels/match_gain.h)
};

/// Immutable.
class AxisOperator {
 public:
  struct Row {
    uint32_t first_block = 0;
    uint32_t blocks = 0;
    size_t weights = 0;  ///< offset of blocks * side() weights, block by block, frequencies ascending
  };

  /// Keeps the frequencies below `side` (1..8) along the axis.
  ///
  /// Triangle resize: every sample of the window is its block's inverse transform, of the kind `transform`.
  /// Reduced (sampling.reduced_k > 0, `transform` plays no part): the output pixel is its block's cosine
  /// series at the pixel's centre, cut to the frequencies that so many points can hold; a component with
  /// samp_max / samp = r is so transformed at r * k points a block and needs no upsampling.
  AxisOperator(const ComponentAxis& axis, const AxisSampling& sampling, int side,
               BlockTransform transform = BlockTransform::kEightPoint);

  int side() const { return side_; }
  std::span<const Row> rows() const { return rows_; }
  std::span<const float> weights() const { return weights_; }
  std::span<const float> weights(const Row& row) const {
    return std::span(weights_).subspan(row.weights,
                                       static_cast<size_t>(row.blocks) * static_cast<size_t>(side_));
  }

  /// The blocks that any row reads are in [first_block, last_block).
  uint32_t first_block() const { return first_block_; }
  uint32_t last_block() const { return last_block_; }
  uint32_t blocks_per_row_max() const { return blocks_per_row_max_; }

  size_t bytes() const { return rows_.size() * sizeof(Row) + weights_.size() * sizeof(float); }

 private:
  struct SampleBasis;
  struct RowScratch;
  static SampleBasis MakeSampleBasis(const ComponentAxis& axis, const AxisSampling& sampling, int side,
                                     BlockTransform transform);

  void AddResizedRow(const SampleBasis& basis, uint32_t resized, uint32_t pixel, RowScratch& scratch);
  void AddReducedRow(const ComponentAxis& axis, const AxisSampling& sampling, uint32_t pixel);
  float* AddRow(uint32_t first_block, uint32_t blocks);

  int side_;
  std::vector<Row> rows_;
  std::vector<float> weights_;
  uint32_t first_block_ = UINT32_MAX;
  uint32_t last_block_ = 0;
  uint32_t blocks_per_row_max_ = 0;
};

}  // namespace freqstore

// The coefficients of one component to pixels, some rows after the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/cpu/render/kept_frequencies.h"
#include "gpu/cpu/render/lane_operator.h"
#include "gpu/cpu/render/render_loops.h"
#include "gpu/kernels/axis_operator.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/scratch_buffer.h"

namespace freqstore {

/// The separable product vertical * coefficients * horizontal, for up to kRowGroup rows at a time. Keeps its
/// scratch memory from image to image. Not thread-safe.
class ComponentPass {
 public:
  /// Begins a component. All arguments must live until the next Start; the operators' blocks must lie in the
  /// grid of `planes`. Frequencies that `planes` does not have are zero.
  void Start(const RenderLoops& loops, const CoefficientPlanes& planes, std::span<const uint16_t> quant,
             const AxisOperator& horizontal, const AxisOperator& vertical);

  /// Writes `rows` <= kRowGroup rows of the vertical operator, `out_stride` values apart, centred on 0: each
  /// is horizontal.rows().size() values, rounded up to kRowGroup. `lanes` is the horizontal operator for the
  /// lanes of the loops and fits. `out` is aligned to 64 bytes, `out_stride` a multiple of kRowGroup.
  void RenderRows(size_t first_row, size_t rows, const LaneOperator& lanes, float* out, size_t out_stride);

  /// Writes rows [first_row, first_row + kRowGroup) column by column, horizontal.rows().size() * kRowGroup
  /// values centred on 0; those of rows that the vertical operator does not have are unspecified. `out` is
  /// aligned to 64 bytes.
  void RenderColumns(size_t first_row, float* out);

  void ReleaseScratchAbove(size_t bytes_max);

 private:
  void SumRows(size_t first_row, size_t rows);

  const RenderLoops* loops_ = nullptr;
  const AxisOperator* horizontal_ = nullptr;
  const AxisOperator* vertical_ = nullptr;
  size_t width_blocks_ = 0;

  KeptFrequencies kept_;
  size_t columns_ = 0;        // block columns that the horizontal operator reads, padded
  size_t summed_stride_ = 0;  // of a row of summed_
  std::vector<VerticalTerm> terms_;
  ScratchBuffer<float> summed_;  // after the vertical pass: kRowGroup rows of kept_.side_x planes of columns_
  ScratchBuffer<float> tile_;    // the same, column by column
};

}  // namespace freqstore

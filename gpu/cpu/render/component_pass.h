// The coefficients of one component to pixels, some rows after the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/cpu/render/kept_frequencies.h"
#include "gpu/cpu/render/operator_cache.h"
#include "gpu/cpu/render/render_loops.h"
#include "gpu/kernels/axis_operator.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/scratch_buffer.h"

namespace freqstore {

/// The separable product vertical * coefficients * horizontal, for a group of kRowGroup rows at a time:
/// `first_row` is always a multiple of it. Keeps its scratch memory from image to image. Not thread-safe.
class ComponentPass {
 public:
  /// Begins a component. All arguments must live until the next Start; the operators' blocks must lie in the
  /// grid of `planes`. Frequencies that `planes` does not have are zero.
  void Start(const RenderLoops& loops, const CoefficientPlanes& planes, std::span<const uint16_t> quant,
             const RenderOperator& horizontal, const RenderOperator& vertical);

  /// Writes rows [first_row, first_row + kRowGroup), as far as there are so many, `out_stride` values apart,
  /// centred on 0: each is horizontal.axis.rows().size() values, rounded up to kRowGroup. The lanes of the
  /// horizontal operator must fit. `out` is aligned to 64 bytes, `out_stride` a multiple of kRowGroup.
  void RenderRows(size_t first_row, float* out, size_t out_stride);

  /// Writes rows [first_row, first_row + kRowGroup) column by column, horizontal.axis.rows().size() *
  /// kRowGroup values centred on 0; those of rows that the vertical operator does not have are unspecified.
  /// `out` is aligned to 64 bytes.
  void RenderColumns(size_t first_row, float* out);

  void ReleaseScratchAbove(size_t bytes_max);

 private:
  void SumGroup(size_t group);

  const RenderLoops* loops_ = nullptr;
  const RenderOperator* horizontal_ = nullptr;
  const RenderOperator* vertical_ = nullptr;
  size_t width_blocks_ = 0;

  KeptFrequencies kept_;
  size_t columns_ = 0;           // block columns that the horizontal operator reads, padded
  size_t summed_stride_ = 0;     // of a row of summed_
  ScratchBuffer<float> summed_;  // after the vertical pass: kRowGroup rows of kept_.side_x planes of columns_
  ScratchBuffer<float> tile_;    // the same, column by column
};

}  // namespace freqstore

// The coefficients of one component to pixels, one group of rows after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/cpu/render/kept_frequencies.h"
#include "gpu/cpu/render/render_loops.h"
#include "storage/base/scratch_buffer.h"
#include "gpu/kernels/axis_operator.h"
#include "storage/base/coefficient_planes.h"

namespace freqstore {

/// The separable product vertical * coefficients * horizontal, for kRowGroup rows at a time. Block rows are
/// dequantised once, into a ring that holds as many as a row reads. Keeps its scratch memory from image to
/// image. Not thread-safe.
class ComponentPass {
 public:
  /// Begins a component. All arguments must live until the next Start; the operators' blocks must lie in the
  /// grid of `planes`. Frequencies that `planes` does not have are zero.
  void Start(const RenderLoops& loops, const CoefficientPlanes& planes, std::span<const uint16_t> quant,
             const AxisOperator& horizontal, const AxisOperator& vertical);

  /// Writes rows [first_row, first_row + kRowGroup) column by column, horizontal.rows().size() * kRowGroup
  /// values centred on 0. Rows that the vertical operator does not have are 0. `out` is aligned to 64 bytes.
  void RenderRows(size_t first_row, float* out);

  void ReleaseScratchAbove(size_t bytes_max);

 private:
  const float* BlockRow(uint32_t block_row);

  const RenderLoops* loops_ = nullptr;
  const CoefficientPlanes* planes_ = nullptr;
  std::span<const uint16_t> quant_;
  const AxisOperator* horizontal_ = nullptr;
  const AxisOperator* vertical_ = nullptr;

  KeptFrequencies kept_;
  size_t columns_ = 0;         // block columns that the horizontal operator reads, padded
  size_t summed_stride_ = 0;   // of a row of summed_
  ScratchBuffer<float> ring_;  // block rows, dequantised: kept_.size planes of columns_ each
  std::vector<uint32_t> ring_rows_;
  std::vector<const float*> row_blocks_;
  ScratchBuffer<float> summed_;  // after the vertical pass: kRowGroup rows of kept_.side_x planes of columns_
  ScratchBuffer<float> tile_;    // the same, column by column
};

}  // namespace freqstore

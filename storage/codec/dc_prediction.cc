#include "storage/codec/dc_prediction.h"

namespace freqstore {

void PredictDc(const BlockGrid& grid, std::span<const int16_t> values, std::span<int16_t> residuals) {
  const size_t width = grid.width_blocks;
  for (size_t row = 0; row < values.size(); row += width) {
    const int above = row == 0 ? 0 : values[row - width];
    residuals[row] = static_cast<int16_t>(values[row] - above);
    for (size_t i = row + 1; i < row + width; ++i)
      residuals[i] = static_cast<int16_t>(values[i] - values[i - 1]);
  }
}

}  // namespace freqstore

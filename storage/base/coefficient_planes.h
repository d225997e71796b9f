// Quantised DCT coefficients of one component of one image, frequency by frequency.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/base/dct.h"

namespace freqstore {

/// A plane of int16 values, one a block in raster order, for each frequency of a set.
///
/// Values are what the JPEG file codes (DC not differenced, nothing dequantised). Not thread-safe to write;
/// Reset() keeps the memory, so one object serves image after image.
class CoefficientPlanes {
 public:
  CoefficientPlanes() = default;
  CoefficientPlanes(BlockGrid grid, FrequencySet frequencies) { Reset(grid, frequencies); }

  /// Sets shape and members. The values are unspecified afterwards.
  void Reset(BlockGrid grid, FrequencySet frequencies) {
    grid_ = grid;
    frequencies_ = frequencies;
    values_.resize(static_cast<size_t>(grid.blocks()) * static_cast<size_t>(frequencies.size()));
  }

  const BlockGrid& grid() const { return grid_; }
  FrequencySet frequencies() const { return frequencies_; }

  /// The plane of a zigzag index that is in frequencies().
  std::span<int16_t> plane(int zigzag) { return {values_.data() + Offset(zigzag), PlaneSize()}; }
  std::span<const int16_t> plane(int zigzag) const { return {values_.data() + Offset(zigzag), PlaneSize()}; }

 private:
  size_t PlaneSize() const { return static_cast<size_t>(grid_.blocks()); }
  size_t Offset(int zigzag) const { return PlaneSize() * static_cast<size_t>(frequencies_.Rank(zigzag)); }

  BlockGrid grid_;
  FrequencySet frequencies_;
  std::vector<int16_t> values_;
};

}  // namespace freqstore

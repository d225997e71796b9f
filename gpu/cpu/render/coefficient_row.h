// Where the loops read the coefficients of one frequency.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/base/coefficient_planes.h"

namespace freqstore {

/// Some blocks in a row of one frequency: wide, narrow, or, with both null, all zero.
/// CoefficientPlanes::kSlackValues more may be read.
struct CoefficientRow {
  const int16_t* wide = nullptr;
  const int8_t* narrow = nullptr;
};

/// The row that begins at `block` of the plane of `zigzag`. It lives as long as the planes.
inline CoefficientRow RowFrom(const CoefficientPlanes& planes, int zigzag, size_t block) {
  if (!planes.frequencies().Contains(zigzag)) return {};
  if (planes.IsNarrow(zigzag)) return {.wide = nullptr, .narrow = planes.narrow_plane(zigzag).data() + block};
  return {.wide = planes.plane(zigzag).data() + block, .narrow = nullptr};
}

}  // namespace freqstore

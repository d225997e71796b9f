// How DC is predicted, in every codec that predicts it. FORMAT.md, "DC".
#pragma once

#include <cstdint>
#include <span>

#include "storage/base/dct.h"

namespace freqstore {

/// Writes the residuals of a grid's values: each less its left neighbour, the first of a row less the one
/// above; modulo 2^16. `residuals` is as long as `values`.
void PredictDc(const BlockGrid& grid, std::span<const int16_t> values, std::span<int16_t> residuals);

}  // namespace freqstore

// Fits the weights of a column's references to a sample of its values.
#pragma once

#include <cstdint>
#include <span>

#include "storage/codec/r32_model.h"

namespace freqstore {

/// Sets the weights in `references` so that the weighted sum of the references' magnitudes is as good a guess
/// of the value's magnitude as it gets: least squares, weighted by the inverse square of the guess, no weight
/// below 0; scaled so that the greatest is 100.
///
/// `magnitudes` and each element of `reference_magnitudes`, one a reference, are as long; false, and nothing
/// is changed, if they are too few or all 0.
bool FitR32Weights(std::span<const uint8_t> magnitudes,
                   std::span<const std::span<const uint8_t>> reference_magnitudes,
                   std::span<R32Reference> references);

}  // namespace freqstore

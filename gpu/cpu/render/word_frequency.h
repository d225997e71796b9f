// A frequency as 16-bit arithmetic dequantises it.
#pragma once

#include <cstdint>

#include "gpu/cpu/render/coefficient_row.h"
#include "gpu/kernels/dequantize.h"

namespace freqstore {

/// Values within value_max times the factor, both of a BoundedStep.
struct WordFrequency {
  CoefficientRow values;  ///< the whole plane
  int16_t value_max = 0;
  int16_t factor = 0;         ///< the step times 2^shift
  bool needs_bounds = false;  ///< false if the values are narrow and none is beyond value_max
};

/// `magnitude_max` << `shift` is at most 32767.
WordFrequency MakeWordFrequency(const CoefficientRow& values, uint16_t quant, int32_t magnitude_max,
                                int shift);

/// The same in int32, of one or more values.
template <typename T>
FREQSTORE_HD T Dequantize(T values, const WordFrequency& frequency) {
  return Dequantize(values, BoundedStep{frequency.factor, frequency.value_max});
}

}  // namespace freqstore

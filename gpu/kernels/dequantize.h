// Dequantised coefficients of a bounded magnitude, so that no arithmetic after them overflows. The bound is
// far outside what real images hold.
#pragma once

#include <cstdint>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// A quantiser step under a bound: values beyond value_max count as value_max, and value_max * step stays
/// within the bound.
struct BoundedStep {
  int32_t step = 1;
  int32_t value_max = 0;
};

/// `quant` is 1..65535, `magnitude_max` at least 1. A quant beyond the bound counts as the bound.
FREQSTORE_HD constexpr BoundedStep MakeBoundedStep(int32_t quant, int32_t magnitude_max) {
  const int32_t step = quant < magnitude_max ? quant : magnitude_max;
  return {step, magnitude_max / step};
}

/// T is int32_t or a vector of it.
template <typename T>
FREQSTORE_HD T Dequantize(T value, const BoundedStep& bounded) {
  const T low = T{} - bounded.value_max;
  const T high = T{} + bounded.value_max;
  value = value < low ? low : value;
  return (value > high ? high : value) * bounded.step;
}

}  // namespace freqstore

#include "gpu/cpu/render/word_frequency.h"

namespace freqstore {

WordFrequency MakeWordFrequency(const CoefficientRow& values, uint16_t quant, int32_t magnitude_max,
                                int shift) {
  const BoundedStep bounded = MakeBoundedStep(quant, magnitude_max);
  WordFrequency frequency;
  frequency.values = values;
  frequency.value_max = static_cast<int16_t>(bounded.value_max);
  frequency.factor = static_cast<int16_t>(bounded.step << shift);
  frequency.needs_bounds = values.narrow == nullptr || bounded.value_max < -INT8_MIN;
  return frequency;
}

}  // namespace freqstore

#include "gpu/cpu/render/full_size_loops.h"

#include <algorithm>

#include "gpu/kernels/islow_transform.h"

namespace freqstore {

IslowFrequency MakeIslowFrequency(const CoefficientRow& values, uint16_t quant) {
  const int32_t step = std::min<int32_t>(quant, kIslowInputMax);
  IslowFrequency frequency;
  frequency.values = values;
  frequency.quant = quant;
  frequency.step = static_cast<int16_t>(step);
  frequency.value_max = static_cast<int16_t>((kIslowInputMax + step - 1) / step);
  frequency.needs_bounds = values.narrow == nullptr || step * -INT8_MIN > kIslowInputMax;
  return frequency;
}

const FullSizeLoops& FullSizeLoopsFor(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512FullSizeLoops;
  if (level == SimdLevel::kAvx2) return kAvx2FullSizeLoops;
#else
  static_cast<void>(level);
#endif
  return kScalarFullSizeLoops;
}

}  // namespace freqstore

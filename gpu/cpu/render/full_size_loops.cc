#include "gpu/cpu/render/full_size_loops.h"

namespace freqstore {

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

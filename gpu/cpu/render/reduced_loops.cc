#include "gpu/cpu/render/reduced_loops.h"

namespace freqstore {

const ReducedLoops& ReducedLoopsFor(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512ReducedLoops;
  if (level == SimdLevel::kAvx2) return kAvx2ReducedLoops;
#else
  static_cast<void>(level);
#endif
  return kScalarReducedLoops;
}

}  // namespace freqstore

#include "gpu/cpu/render/render_loops.h"

namespace freqstore {

const RenderLoops& RenderLoopsFor(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512RenderLoops;
  if (level == SimdLevel::kAvx2) return kAvx2RenderLoops;
#else
  static_cast<void>(level);
#endif
  return kScalarRenderLoops;
}

}  // namespace freqstore

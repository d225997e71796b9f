#include "storage/codec/bp32_kernels.h"

#include "storage/codec/bp32_implementations.h"

namespace freqstore {
namespace {

constexpr Bp32Kernels kReference = {bp32_reference::Measure,       bp32_reference::Pack,
                                    bp32_reference::Lengths,       bp32_reference::Unpack,
                                    bp32_reference::UnpackNarrow,  bp32_reference::WidthMax,
                                    bp32_reference::UndoPrediction};

#if defined(__x86_64__)
constexpr Bp32Kernels kAvx2 = {bp32_avx2::Measure,       bp32_avx2::Pack,         bp32_avx2::Lengths,
                               bp32_avx2::Unpack,        bp32_avx2::UnpackNarrow, bp32_avx2::WidthMax,
                               bp32_avx2::UndoPrediction};

// The others gain nothing from wider vectors.
constexpr Bp32Kernels kAvx512 = {bp32_avx2::Measure,         bp32_avx512::Pack,         bp32_avx2::Lengths,
                                 bp32_avx512::Unpack,        bp32_avx512::UnpackNarrow, bp32_avx2::WidthMax,
                                 bp32_avx512::UndoPrediction};
#endif

}  // namespace

const Bp32Kernels& GetBp32Kernels(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512;
  if (level == SimdLevel::kAvx2) return kAvx2;
#endif
  (void)level;
  return kReference;
}

}  // namespace freqstore

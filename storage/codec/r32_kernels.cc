#include "storage/codec/r32_kernels.h"

#include <algorithm>
#include <cstdlib>

#include "storage/codec/r32_implementations.h"

namespace freqstore {

size_t R32WordsMax(size_t blocks) {
  return 2 * blocks + blocks / kR32Lanes + 1;
}

size_t R32DcDistance(size_t width_blocks) {
  return width_blocks * ((kR32Lanes + width_blocks) / width_blocks);
}

uint8_t R32DcActivity(const int8_t* residuals, size_t distance, size_t block) {
  if (block < distance + 1) return kR32DcBorderActivity;
  const int8_t* above = residuals + (block - distance);
  const int sum = std::abs(above[-1]) + 2 * std::abs(above[0]) + std::abs(above[1]);
  return static_cast<uint8_t>(std::min(sum >> 2, kR32DcBorderActivity - 1));
}

R32EncodeTable::R32EncodeTable(const R32Model& of) : model(of) {
  for (size_t context = 0; context < model.values.count; ++context) {
    uint32_t begin = 0;
    for (size_t token = 0; token < kR32TokensMax; ++token) {
      entries[context][token] = model.tables[context][token] | begin << 16;
      begin += model.tables[context][token];
    }
  }
}

const R32Kernels& GetR32Kernels(SimdLevel level) {
#if defined(__x86_64__)
  switch (level) {
    case SimdLevel::kAvx512:
      return kR32Avx512Kernels;
    case SimdLevel::kAvx2:
      return kR32Avx2Kernels;
    case SimdLevel::kScalar:
      break;
  }
#endif
  return kR32ReferenceKernels;
}

}  // namespace freqstore

#include "gpu/cpu/render/reduced_loops.h"

#include <array>

#include "gpu/kernels/cosine_basis.h"
#include "storage/base/dct.h"

namespace freqstore {
namespace {

using Basis = std::array<float, kBlockSide * kBlockSide / 2>;

std::array<Basis, kBlockSide + 1> MakeBases() {
  std::array<Basis, kBlockSide + 1> bases{};
  for (int points = 1; points <= kBlockSide; ++points) {
    float* basis = bases[static_cast<size_t>(points)].data();
    for (int i = 0; i < (points + 1) / 2; ++i) {
      for (int u = 0; u < points; ++u) {
        *basis++ = static_cast<float>(CosineBasis(u, (i + 0.5) * kBlockSide / points));
      }
    }
  }
  return bases;
}

}  // namespace

const float* ReducedBasis(size_t points) {
  static const std::array<Basis, kBlockSide + 1> bases = MakeBases();
  return bases[points].data();
}

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

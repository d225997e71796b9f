// The frequencies of a component that a rendering uses, in the order its loops want them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/cpu/render/coefficient_row.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/dct.h"

namespace freqstore {

/// A frequency: values times step.
struct KeptFrequency {
  CoefficientRow plane;
  float step = 0;
};

/// The frequencies of a component's planes with u < u_end and v < v_end, by u and then v. Those of a u begin
/// at v = 0 and have no gaps: what the planes lack below the last one is there, and zero.
struct KeptFrequencies {
  KeptFrequencies() = default;
  KeptFrequencies(const CoefficientPlanes& planes, std::span<const uint16_t> quant, int u_end, int v_end)
      : side_x(static_cast<size_t>(u_end)) {
    for (int u = 0; u < kBlockSide; ++u) {
      int v_last = -1;
      for (int v = 0; u < u_end && v < v_end; ++v) {
        if (planes.frequencies().Contains(Zigzag(u, v))) v_last = v;
      }
      for (int v = 0; v <= v_last; ++v) {
        const uint8_t z = Zigzag(u, v);
        members[size++] = {RowFrom(planes, z, 0), static_cast<float>(quant[z])};
      }
      first[u + 1] = static_cast<uint8_t>(size);
    }
  }

  size_t size = 0;
  size_t side_x = 0;                   ///< u_end
  uint8_t first[kBlockSide + 1] = {};  ///< members of horizontal frequency u: [first[u], first[u + 1])
  KeptFrequency members[kFrequencies];

 private:
  static uint8_t Zigzag(int u, int v) { return kNaturalToZigzag[static_cast<size_t>(kBlockSide * v + u)]; }
};

}  // namespace freqstore

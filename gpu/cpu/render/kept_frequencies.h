// The frequencies of a component that a rendering uses, in the order its loops want them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/base/dct.h"

namespace freqstore {

/// Members of a set with u < u_end and v < v_end, by u and then v.
struct KeptFrequencies {
  KeptFrequencies() = default;
  KeptFrequencies(FrequencySet set, int u_end, int v_end) : side_x(static_cast<size_t>(u_end)) {
    for (int u = 0; u < kBlockSide; ++u) {
      for (int v = 0; v < kBlockSide; ++v) {
        const uint8_t z = kNaturalToZigzag[static_cast<size_t>(kBlockSide * v + u)];
        if (u >= u_end || v >= v_end || !set.Contains(z)) continue;
        vertical[size] = static_cast<uint8_t>(v);
        zigzag[size] = z;
        ++size;
      }
      first[u + 1] = static_cast<uint8_t>(size);
    }
  }

  size_t size = 0;
  size_t side_x = 0;                   ///< u_end
  uint8_t first[kBlockSide + 1] = {};  ///< members of horizontal frequency u: [first[u], first[u + 1])
  uint8_t vertical[kFrequencies] = {};
  uint8_t zigzag[kFrequencies] = {};
};

}  // namespace freqstore

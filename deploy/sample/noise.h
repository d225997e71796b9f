// Smooth random fields with the spectrum of natural scenes: much detail, most of it faint.
#pragma once

#include <cstdint>

namespace freqstore::sample {

/// A sum of smooth noise at wavelengths that halve from one octave to the next.
struct FractalNoise {
  uint64_t seed = 0;
  float wavelength_px = 256;  ///< of the first octave
  int octaves = 8;
  float gain = 0.55F;  ///< amplitude of an octave over that of the one before; natural images are near 0.5

  /// About -1..1, mean 0.
  float At(float x, float y) const;
};

}  // namespace freqstore::sample

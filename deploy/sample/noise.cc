#include "deploy/sample/noise.h"

#include "deploy/sample/random.h"

namespace freqstore::sample {
namespace {

float LatticeValue(uint64_t seed, int x, int y) {
  const uint64_t key = seed ^ (uint64_t{static_cast<uint32_t>(x)} << 32 | static_cast<uint32_t>(y));
  return static_cast<float>(Mix(key) >> 40) * 0x1p-23F - 1;
}

/// Not std::lerp: that is exact at its ends at three times the cost.
float Lerp(float a, float b, float t) {
  return a + (b - a) * t;
}

int Floor(float x) {
  const int truncated = static_cast<int>(x);
  return truncated - (static_cast<float>(truncated) > x ? 1 : 0);
}

float Smooth(float t) {
  return t * t * (3 - 2 * t);
}

float ValueNoise(uint64_t seed, float x, float y) {
  const int ix = Floor(x);
  const int iy = Floor(y);
  const float tx = Smooth(x - static_cast<float>(ix));
  const float ty = Smooth(y - static_cast<float>(iy));
  const float top = Lerp(LatticeValue(seed, ix, iy), LatticeValue(seed, ix + 1, iy), tx);
  const float bottom = Lerp(LatticeValue(seed, ix, iy + 1), LatticeValue(seed, ix + 1, iy + 1), tx);
  return Lerp(top, bottom, ty);
}

}  // namespace

float FractalNoise::At(float x, float y) const {
  float sum = 0;
  float amplitude = 1 - gain;
  float frequency = 1 / wavelength_px;
  for (int octave = 0; octave < octaves; ++octave) {
    sum += amplitude * ValueNoise(Mix(seed + static_cast<uint64_t>(octave)), x * frequency, y * frequency);
    amplitude *= gain;
    frequency *= 2;
  }
  return sum * 1.6F;
}

}  // namespace freqstore::sample

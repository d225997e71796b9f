// Images from integer arithmetic alone: the same bytes on every machine and in make_reference_logits.mjs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace freqstore::testutil {

class Lcg {
 public:
  explicit Lcg(uint32_t seed) : state_(seed) {}
  int Below(int limit) {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<int>(state_ >> 8) % limit;
  }

 private:
  uint32_t state_;
};

/// A gradient a channel, six soft blobs, and noise of +-8: 3 x size x size pixels.
inline std::vector<uint8_t> SyntheticImage(uint32_t seed, int size) {
  struct Gradient {
    int base, x, y;
  };
  struct Blob {
    int x, y, radius;
    std::array<int, 3> amplitude;
  };
  Lcg random(seed);
  std::array<Gradient, 3> gradients{};
  for (Gradient& g : gradients) {
    g.base = 64 + random.Below(128);
    g.x = random.Below(129) - 64;
    g.y = random.Below(129) - 64;
  }
  std::array<Blob, 6> blobs{};
  for (Blob& b : blobs) {
    b.x = random.Below(size);
    b.y = random.Below(size);
    b.radius = size / 8 + random.Below(size / 3);
    for (int& amplitude : b.amplitude) amplitude = random.Below(257) - 128;
  }
  std::vector<uint8_t> pixels;
  for (size_t c = 0; c < 3; ++c) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        int value = gradients[c].base + (gradients[c].x * x + gradients[c].y * y) / size;
        for (const Blob& b : blobs) {
          const int reach = b.radius * b.radius;
          const int distance = (x - b.x) * (x - b.x) + (y - b.y) * (y - b.y);
          if (distance < reach) value += b.amplitude[c] * (reach - distance) / reach;
        }
        value += random.Below(17) - 8;
        pixels.push_back(static_cast<uint8_t>(std::clamp(value, 0, 255)));
      }
    }
  }
  return pixels;
}

/// The same as a model of that name wants it, written to `out` (3 * size * size floats).
inline void PreprocessedImage(std::string_view model, uint32_t seed, int size, float* out) {
  const bool squeezenet = model.starts_with("squeezenet");
  const std::array<float, 3> mean =
      squeezenet ? std::array{123.F, 117.F, 104.F} : std::array{128.F, 128.F, 128.F};
  const float scale = squeezenet ? 1.F : 1.F / 128.F;
  const std::vector<uint8_t> pixels = SyntheticImage(seed, size);
  const size_t plane = pixels.size() / 3;
  for (size_t i = 0; i < pixels.size(); ++i)
    out[i] = (static_cast<float>(pixels[i]) - mean[i / plane]) * scale;
}

}  // namespace freqstore::testutil

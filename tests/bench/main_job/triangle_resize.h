// Antialiased triangle resize of 8-bit RGB into a network's input: what a careful JPEG pipeline does after
// decoding.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "gpu/device/render_spec.h"

namespace freqstore::bench {

/// Keeps its buffers and, by size, its weights. Not thread-safe.
class TriangleResize {
 public:
  /// `pixels` are interleaved RGB, `width` x `height`; `out` is one NCHW image of the spec's size.
  void Run(std::span<const uint8_t> pixels, uint32_t width, uint32_t height, const RenderSpec& spec,
           std::span<float> out);

 private:
  /// For each output position, the first source position and the weights from there.
  struct Taps {
    std::vector<uint32_t> first;
    std::vector<float> weights;
    uint32_t taps = 0;
  };
  const Taps& TapsFor(uint32_t source, uint32_t resized, uint32_t crop_first, uint32_t count);

  std::map<std::array<uint32_t, 4>, Taps> taps_;
  std::vector<float> row_;
};

}  // namespace freqstore::bench

#include "tests/bench/main_job/triangle_resize.h"

#include <algorithm>
#include <cmath>

namespace freqstore::bench {

const TriangleResize::Taps& TriangleResize::TapsFor(uint32_t source, uint32_t resized, uint32_t crop_first,
                                                    uint32_t count) {
  Taps& taps = taps_[{source, resized, crop_first, count}];
  if (!taps.first.empty()) return taps;
  const double scale = double(source) / resized;
  const double support = std::max(scale, 1.0);
  taps.taps = std::min(source, static_cast<uint32_t>(std::ceil(2 * support)) + 1);
  for (uint32_t i = 0; i < count; ++i) {
    const double center = (crop_first + i + 0.5) * scale;
    const double lowest = std::max(0.0, std::floor(center - support + 0.5));
    const uint32_t first = std::min(static_cast<uint32_t>(lowest), source - taps.taps);
    taps.first.push_back(first);
    double total = 0;
    const size_t start = taps.weights.size();
    for (uint32_t t = 0; t < taps.taps; ++t) {
      const double weight = std::max(0.0, 1 - std::abs(first + t + 0.5 - center) / support);
      taps.weights.push_back(static_cast<float>(weight));
      total += weight;
    }
    for (size_t t = start; t < taps.weights.size(); ++t) taps.weights[t] /= static_cast<float>(total);
  }
  return taps;
}

void TriangleResize::Run(std::span<const uint8_t> pixels, uint32_t width, uint32_t height,
                         const RenderSpec& spec, std::span<float> out) {
  const ResizeRule& rule = spec.resize;
  uint32_t resized_width = rule.width;
  uint32_t resized_height = rule.height;
  if (rule.kind == ResizeRule::Kind::kShortest) {
    const uint32_t shorter = std::min(width, height);
    resized_width = static_cast<uint32_t>(uint64_t{width} * rule.shortest / shorter);
    resized_height = static_cast<uint32_t>(uint64_t{height} * rule.shortest / shorter);
  }
  const Taps& across = TapsFor(width, resized_width, (resized_width - rule.width) / 2, rule.width);
  const Taps& down = TapsFor(height, resized_height, (resized_height - rule.height) / 2, rule.height);
  const size_t stride = size_t{3} * width;
  const size_t plane = size_t{rule.width} * rule.height;
  row_.resize(stride);
  for (uint32_t y = 0; y < rule.height; ++y) {
    std::fill(row_.begin(), row_.end(), 0.F);
    for (uint32_t t = 0; t < down.taps; ++t) {
      const float weight = down.weights[size_t{y} * down.taps + t];
      if (weight == 0) continue;
      const uint8_t* source = pixels.data() + (size_t{down.first[y]} + t) * stride;
      for (size_t x = 0; x < stride; ++x) row_[x] += weight * static_cast<float>(source[x]);
    }
    for (uint32_t x = 0; x < rule.width; ++x) {
      const float* weights = across.weights.data() + size_t{x} * across.taps;
      const float* source = row_.data() + size_t{3} * across.first[x];
      float sums[3] = {};
      for (uint32_t t = 0; t < across.taps; ++t) {
        for (size_t c = 0; c < 3; ++c) sums[c] += weights[t] * source[3 * t + c];
      }
      for (size_t c = 0; c < 3; ++c) {
        const size_t channel = spec.bgr ? 2 - c : c;
        out[channel * plane + size_t{y} * rule.width + x] =
            (sums[c] - spec.mean[channel]) * spec.scale[channel];
      }
    }
  }
}

}  // namespace freqstore::bench

#include <algorithm>

#include "storage/codec/context_kernels.h"

namespace freqstore {
namespace {

constexpr size_t kGroup = 32;

int8_t Clamped(int value) {
  return static_cast<int8_t>(std::clamp<int>(value, INT8_MIN, INT8_MAX));
}

void Clamp(const int16_t* values, size_t count, int8_t* out) {
  for (size_t i = 0; i < count; ++i) out[i] = Clamped(values[i]);
}

void Count(const int8_t* values, size_t count, uint8_t* out) {
  for (size_t group = 0; group * kGroup < count; ++group) {
    const int8_t* const first = values + group * kGroup;
    const int8_t* const last = values + std::min(count, (group + 1) * kGroup);
    out[group] = static_cast<uint8_t>(last - first - std::count(first, last, int8_t{0}));
  }
}

void Gradients(const int16_t* dc, size_t width, size_t height, int8_t* horizontal, int8_t* vertical) {
  for (size_t y = 0; y < height; ++y) {
    const int16_t* const row = dc + y * width;
    const int16_t* const above = y > 0 ? row - width : row;
    const int16_t* const below = y + 1 < height ? row + width : row;
    for (size_t x = 0; x < width; ++x) {
      const int left = row[x > 0 ? x - 1 : x];
      const int right = row[x + 1 < width ? x + 1 : x];
      horizontal[y * width + x] = Clamped(right - left);
      vertical[y * width + x] = Clamped(below[x] - above[x]);
    }
  }
}

}  // namespace

const ContextKernels kContextReferenceKernels = {Clamp, Count, Gradients};

const ContextKernels& GetContextKernels(SimdLevel level) {
#if defined(__x86_64__)
  if (level >= SimdLevel::kAvx2) return kContextAvx2Kernels;
#endif
  (void)level;
  return kContextReferenceKernels;
}

}  // namespace freqstore

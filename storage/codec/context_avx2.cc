// Compiled with -mavx2 and the like: called only where the CPU has them (context_reference.cc).
#include <immintrin.h>

#include "storage/codec/context_kernels.h"

namespace freqstore {
namespace {

constexpr size_t kGroup = 32;

__m256i Load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

void Store(void* to, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(to), value);
}

/// 32 values, clamped, in order.
__m256i Clamped(__m256i first, __m256i second) {
  return _mm256_permute4x64_epi64(_mm256_packs_epi16(first, second), _MM_SHUFFLE(3, 1, 2, 0));
}

void Clamp(const int16_t* values, size_t count, int8_t* out) {
  for (size_t i = 0; i < count; i += kGroup) Store(out + i, Clamped(Load(values + i), Load(values + i + 16)));
}

void Count(const int8_t* values, size_t count, uint8_t* out) {
  for (size_t i = 0; i < count; i += kGroup) {
    const __m256i is_zero = _mm256_cmpeq_epi8(Load(values + i), _mm256_setzero_si256());
    const auto nonzero = ~static_cast<unsigned>(_mm256_movemask_epi8(is_zero));
    const auto left = static_cast<unsigned>(count - i < kGroup ? count - i : kGroup);
    *out++ = static_cast<uint8_t>(_mm_popcnt_u32(_bzhi_u32(nonzero, left)));
  }
}

int8_t Difference(int16_t a, int16_t b) {
  const int difference = int{a} - int{b};
  return static_cast<int8_t>(difference < INT8_MIN   ? INT8_MIN
                             : difference > INT8_MAX ? INT8_MAX
                                                     : difference);
}

/// out[i] = a[i] - b[i], clamped, for `count` values; nothing beyond is read or written.
void Differences(const int16_t* a, const int16_t* b, size_t count, int8_t* out) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i difference = _mm256_subs_epi16(Load(a + i), Load(b + i));
    const __m256i bytes = Clamped(difference, difference);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm256_castsi256_si128(bytes));
  }
  for (; i < count; ++i) out[i] = Difference(a[i], b[i]);
}

void Gradients(const int16_t* dc, size_t width, size_t height, int8_t* horizontal, int8_t* vertical) {
  for (size_t y = 0; y < height; ++y) {
    const int16_t* const row = dc + y * width;
    const int16_t* const above = y > 0 ? row - width : row;
    const int16_t* const below = y + 1 < height ? row + width : row;
    int8_t* const across = horizontal + y * width;
    Differences(below, above, width, vertical + y * width);
    across[0] = Difference(row[width > 1 ? 1 : 0], row[0]);
    if (width > 1) across[width - 1] = Difference(row[width - 1], row[width - 2]);
    if (width > 2) Differences(row + 2, row, width - 2, across + 1);
  }
}

}  // namespace

const ContextKernels kContextAvx2Kernels = {Clamp, Count, Gradients};

}  // namespace freqstore

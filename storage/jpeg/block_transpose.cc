#include "storage/jpeg/block_transpose.h"

#include <algorithm>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace freqstore {
namespace {

using Block = int16_t[kFrequencies];

void TransposeRange(const Block* blocks, size_t begin, size_t end, const PlanePointers& planes) {
  for (size_t i = 0; i < kFrequencies; ++i) {
    for (size_t b = begin; b < end; ++b) planes[i][b] = blocks[b][i];
  }
}

#if defined(__SSE2__)

constexpr size_t kLanes = 8;        // int16 values in a vector
constexpr size_t kTileBlocks = 32;  // a cache line of each plane; 4 KiB of blocks

/// Transposes coefficients [i, i + 8) of blocks [b, b + 8).
void Transpose8x8(const Block* blocks, size_t b, size_t i, const PlanePointers& planes) {
  __m128i rows[8];
  for (size_t j = 0; j < 8; ++j)
    rows[j] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&blocks[b + j][i]));

  __m128i pairs[8];  // 2x2 tiles of values transposed, then 4x4, then all
  for (size_t j = 0; j < 4; ++j) {
    pairs[2 * j] = _mm_unpacklo_epi16(rows[2 * j], rows[2 * j + 1]);
    pairs[2 * j + 1] = _mm_unpackhi_epi16(rows[2 * j], rows[2 * j + 1]);
  }
  __m128i quads[8];
  for (size_t j = 0; j < 2; ++j) {
    quads[4 * j] = _mm_unpacklo_epi32(pairs[4 * j], pairs[4 * j + 2]);
    quads[4 * j + 1] = _mm_unpackhi_epi32(pairs[4 * j], pairs[4 * j + 2]);
    quads[4 * j + 2] = _mm_unpacklo_epi32(pairs[4 * j + 1], pairs[4 * j + 3]);
    quads[4 * j + 3] = _mm_unpackhi_epi32(pairs[4 * j + 1], pairs[4 * j + 3]);
  }
  for (size_t j = 0; j < 4; ++j) {
    const __m128i even = _mm_unpacklo_epi64(quads[j], quads[j + 4]);
    const __m128i odd = _mm_unpackhi_epi64(quads[j], quads[j + 4]);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(planes[i + 2 * j] + b), even);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(planes[i + 2 * j + 1] + b), odd);
  }
}

#endif

}  // namespace

void TransposeBlocksReference(const int16_t (*blocks)[kFrequencies], size_t count,
                              const PlanePointers& planes) {
  TransposeRange(blocks, 0, count, planes);
}

void TransposeBlocks(const int16_t (*blocks)[kFrequencies], size_t count, const PlanePointers& planes) {
  size_t done = 0;
#if defined(__SSE2__)
  const size_t whole = count / kLanes * kLanes;
  while (done < whole) {
    const size_t tile_end = std::min(done + kTileBlocks, whole);
    for (size_t i = 0; i < kFrequencies; i += 8) {
      for (size_t b = done; b < tile_end; b += kLanes) Transpose8x8(blocks, b, i, planes);
    }
    done = tile_end;
  }
#endif
  TransposeRange(blocks, done, count, planes);
}

}  // namespace freqstore

#include "storage/jpeg/block_transpose_avx512.h"

#include <immintrin.h>

namespace freqstore {
namespace {

constexpr size_t kBlockValues = 64;
constexpr size_t kTileBlocks = 8;
constexpr size_t kVectorTiles = 4;  // one in each quarter of a vector

void Transpose(__m512i (&rows)[8]) {
  __m512i pairs[8];  // 2x2 tiles of values transposed, then 4x4, then all
  for (size_t j = 0; j < 4; ++j) {
    pairs[2 * j] = _mm512_unpacklo_epi16(rows[2 * j], rows[2 * j + 1]);
    pairs[2 * j + 1] = _mm512_unpackhi_epi16(rows[2 * j], rows[2 * j + 1]);
  }
  __m512i quads[8];
  for (size_t j = 0; j < 2; ++j) {
    quads[4 * j] = _mm512_unpacklo_epi32(pairs[4 * j], pairs[4 * j + 2]);
    quads[4 * j + 1] = _mm512_unpackhi_epi32(pairs[4 * j], pairs[4 * j + 2]);
    quads[4 * j + 2] = _mm512_unpacklo_epi32(pairs[4 * j + 1], pairs[4 * j + 3]);
    quads[4 * j + 3] = _mm512_unpackhi_epi32(pairs[4 * j + 1], pairs[4 * j + 3]);
  }
  for (size_t j = 0; j < 4; ++j) {
    rows[2 * j] = _mm512_unpacklo_epi64(quads[j], quads[j + 4]);
    rows[2 * j + 1] = _mm512_unpackhi_epi64(quads[j], quads[j + 4]);
  }
}

template <int kTile>
void StoreTile(const __m512i (&rows)[8], int16_t* out) {
  for (size_t j = 0; j < 8; ++j) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + (kTile * kTileBlocks + j) * kBlockValues),
                     _mm512_extracti32x4_epi32(rows[j], kTile));
  }
}

}  // namespace

void GatherWideAvx512(const int16_t* const (&planes)[8], size_t count, int16_t* out) {
  for (size_t b = 0; b < count; b += kVectorTiles * kTileBlocks) {
    __m512i rows[8];
    for (size_t j = 0; j < 8; ++j) {
      rows[j] = _mm512_loadu_si512(planes[j] + b);
      // The next row of blocks comes next: too many planes for the CPU to foresee it.
      _mm_prefetch(reinterpret_cast<const char*>(planes[j] + b + count), _MM_HINT_T0);
    }
    Transpose(rows);
    const size_t tiles = (count - b + kTileBlocks - 1) / kTileBlocks;
    int16_t* tile = out + b * kBlockValues;
    StoreTile<0>(rows, tile);
    if (tiles > 1) StoreTile<1>(rows, tile);
    if (tiles > 2) StoreTile<2>(rows, tile);
    if (tiles > 3) StoreTile<3>(rows, tile);
  }
}

}  // namespace freqstore

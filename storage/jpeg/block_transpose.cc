#include "storage/jpeg/block_transpose.h"

#include <algorithm>
#include <cstdlib>

#if defined(__x86_64__)
#include <emmintrin.h>

#include "storage/jpeg/block_transpose_avx512.h"
#endif

namespace freqstore {
namespace {

using Block = int16_t[kFrequencies];

void TransposeRange(const Block* blocks, size_t begin, size_t end, const PlanePointers& planes) {
  for (size_t i = 0; i < kFrequencies; ++i) {
    for (size_t b = begin; b < end; ++b) planes[i][b] = blocks[b][i];
  }
}

#if defined(__x86_64__)

constexpr size_t kLanes = 8;        // int16 values in a vector
constexpr size_t kTileBlocks = 32;  // a cache line of each plane; 4 KiB of blocks

inline __attribute__((always_inline)) void Transpose8x8(__m128i (&rows)[8]) {
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
    rows[2 * j] = _mm_unpacklo_epi64(quads[j], quads[j + 4]);
    rows[2 * j + 1] = _mm_unpackhi_epi64(quads[j], quads[j + 4]);
  }
}

/// Transposes coefficients [i, i + 8) of blocks [b, b + 8).
void ScatterTile(const Block* blocks, size_t b, size_t i, const PlanePointers& planes) {
  __m128i rows[8];
  for (size_t j = 0; j < 8; ++j)
    rows[j] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&blocks[b + j][i]));
  Transpose8x8(rows);
  for (size_t j = 0; j < 8; ++j) _mm_storeu_si128(reinterpret_cast<__m128i*>(planes[i + j] + b), rows[j]);
}

__m128i LoadWidened(const int8_t* values) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(values));
  return _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
}

/// |values| as unsigned 16-bit numbers.
__m128i Magnitudes(__m128i values) {
  const __m128i signs = _mm_srai_epi16(values, 15);
  return _mm_sub_epi16(_mm_xor_si128(values, signs), signs);
}

/// A bit for each of 16 words that are all ones or all zeros.
uint64_t WordMask(__m128i low, __m128i high) {
  return static_cast<uint16_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
}

#endif

}  // namespace

void TransposeBlocksReference(const int16_t (*blocks)[kFrequencies], size_t count,
                              const PlanePointers& planes) {
  TransposeRange(blocks, 0, count, planes);
}

void TransposeBlocks(const int16_t (*blocks)[kFrequencies], size_t count, const PlanePointers& planes) {
  size_t done = 0;
#if defined(__x86_64__)
  const size_t whole = count / kLanes * kLanes;
  while (done < whole) {
    const size_t tile_end = std::min(done + kTileBlocks, whole);
    for (size_t i = 0; i < kFrequencies; i += 8) {
      for (size_t b = done; b < tile_end; b += kLanes) ScatterTile(blocks, b, i, planes);
    }
    done = tile_end;
  }
#endif
  TransposeRange(blocks, done, count, planes);
}

void GatherBlocksReference(const CoefficientPlanes& planes, size_t first, size_t count, int group,
                           CoefficientBlock* blocks) {
  for (int z = 8 * group; z < 8 * group + 8; ++z) {
    for (size_t b = 0; b < count; ++b) blocks[b][static_cast<size_t>(z)] = planes.value(z, first + b);
  }
}

BlockMasks MasksOfReference(const CoefficientBlock& block, int shift) {
  BlockMasks masks;
  for (int z = 0; z < kFrequencies; ++z) {
    const int magnitude = std::abs(block[static_cast<size_t>(z)]) >> shift;
    if (magnitude != 0) masks.nonzero |= uint64_t{1} << z;
    if (magnitude == 1) masks.one |= uint64_t{1} << z;
  }
  return masks;
}

#if defined(__x86_64__)

void GatherBlocks(const CoefficientPlanes& planes, size_t first, size_t count, int group,
                  CoefficientBlock* blocks, SimdLevel level) {
  const int8_t* narrow[8] = {};
  const int16_t* wide[8] = {};
  bool all_wide = true;
  for (int j = 0; j < 8; ++j) {
    const int z = 8 * group + j;
    if (planes.IsNarrow(z)) {
      narrow[j] = planes.narrow_plane(z).data() + first;
      all_wide = false;
    } else {
      wide[j] = planes.plane(z).data() + first;
    }
  }
  int16_t* out = blocks->data() + size_t{8} * static_cast<size_t>(group);
  // The last tile may read values behind a plane, which its slack allows.
  if (level == SimdLevel::kAvx512 && all_wide) return GatherWideAvx512(wide, count, out);
  for (size_t b = 0; b < count; b += kGatherBlocks) {
    __m128i rows[8];
    for (size_t j = 0; j < 8; ++j) {
      rows[j] = narrow[j] != nullptr ? LoadWidened(narrow[j] + b)
                                     : _mm_loadu_si128(reinterpret_cast<const __m128i*>(wide[j] + b));
    }
    Transpose8x8(rows);
    for (size_t j = 0; j < 8; ++j)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + (b + j) * kFrequencies), rows[j]);
  }
}

BlockMasks MasksOf(const CoefficientBlock& block, int shift) {
  const __m128i zero = _mm_setzero_si128();
  const __m128i one = _mm_set1_epi16(1);
  const __m128i count = _mm_cvtsi32_si128(shift);
  uint64_t zeros = 0;
  BlockMasks masks;
  for (int z = 0; z < kFrequencies; z += 16) {
    const auto* values = reinterpret_cast<const __m128i*>(block.data() + z);
    const __m128i low = _mm_srl_epi16(Magnitudes(_mm_loadu_si128(values)), count);
    const __m128i high = _mm_srl_epi16(Magnitudes(_mm_loadu_si128(values + 1)), count);
    zeros |= WordMask(_mm_cmpeq_epi16(low, zero), _mm_cmpeq_epi16(high, zero)) << z;
    masks.one |= WordMask(_mm_cmpeq_epi16(low, one), _mm_cmpeq_epi16(high, one)) << z;
  }
  masks.nonzero = ~zeros;
  return masks;
}

#else

void GatherBlocks(const CoefficientPlanes& planes, size_t first, size_t count, int group,
                  CoefficientBlock* blocks, SimdLevel /*level*/) {
  GatherBlocksReference(planes, first, count, group, blocks);
}

BlockMasks MasksOf(const CoefficientBlock& block, int shift) {
  return MasksOfReference(block, shift);
}

#endif

}  // namespace freqstore

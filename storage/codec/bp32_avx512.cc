// bp32 with AVX-512 VBMI. Compiled with -mavx512vbmi and the like: called only where the CPU has them
// (bp32_kernels.cc).
//
// Unit of work: a four, that is four values, in one of the eight 64-bit lanes of a vector. The fours of a
// group start on whole bytes, or in the middle of one where width and index are odd.
#include <immintrin.h>

#include "storage/codec/bp32_group_loops.h"
#include "storage/codec/bp32_implementations.h"

namespace freqstore::bp32_avx512 {
namespace {

constexpr unsigned kWidths = 17;
constexpr unsigned kFours = 8;

struct UnpackTable {
  alignas(64)
      uint8_t bytes[kWidths][64];  ///< of the window, for each byte of the lanes: eight from a four's start
  alignas(64) uint8_t shifts[kWidths][64];  ///< of the lane: where each byte of the values begins, in bits
};

constexpr UnpackTable kUnpack = [] {
  UnpackTable table{};
  for (unsigned width = 0; width < kWidths; ++width) {
    for (unsigned four = 0; four < kFours; ++four) {
      const unsigned start = 4 * width * four;  // in bits
      for (unsigned i = 0; i < 8; ++i) {
        table.bytes[width][8 * four + i] = static_cast<uint8_t>((start / 8 + i) % 64);
        table.shifts[width][8 * four + i] =
            static_cast<uint8_t>((start % 8 + i / 2 * width + i % 2 * 8) % 64);
      }
    }
  }
  return table;
}();

/// A pair of fours is `width` bytes: the first ones from the even four, the last ones from the odd four. With
/// an odd width they share the byte in the middle; the odd four then is shifted by half a byte before.
struct PackTable {
  alignas(64) uint8_t even_bytes[kWidths][64];
  alignas(64) uint8_t odd_bytes[kWidths][64];
  uint64_t even_mask[kWidths];
  uint64_t odd_mask[kWidths];
  uint64_t all_mask[kWidths];
};

constexpr PackTable kPack = [] {
  PackTable table{};
  for (unsigned width = 1; width < kWidths; ++width) {
    for (unsigned byte = 0; byte < 4 * width; ++byte) {
      const unsigned pair = byte / width;
      const unsigned in_pair = byte % width;
      const unsigned odd_start = width / 2;
      const uint64_t bit = uint64_t{1} << byte;
      table.all_mask[width] |= bit;
      if (in_pair < (width + 1) / 2) {
        table.even_mask[width] |= bit;
        table.even_bytes[width][byte] = static_cast<uint8_t>(16 * pair + in_pair);
      }
      if (in_pair >= odd_start) {
        table.odd_mask[width] |= bit;
        table.odd_bytes[width][byte] = static_cast<uint8_t>(16 * pair + 8 + in_pair - odd_start);
      }
    }
  }
  return table;
}();

__m512i UnpackValues(const uint8_t* packed, unsigned width) {
  const __m512i window = _mm512_loadu_si512(packed);
  const __m512i fours = _mm512_permutexvar_epi8(_mm512_load_si512(kUnpack.bytes[width]), window);
  const __m512i lanes = _mm512_multishift_epi64_epi8(_mm512_load_si512(kUnpack.shifts[width]), fours);
  const __m128i above = _mm_cvtsi32_si128(static_cast<int>(16 - width));
  const __m512i codes = _mm512_and_si512(lanes, _mm512_srl_epi16(_mm512_set1_epi16(-1), above));
  const __m512i sign =
      _mm512_sub_epi16(_mm512_setzero_si512(), _mm512_and_si512(codes, _mm512_set1_epi16(1)));
  return _mm512_xor_si512(_mm512_srli_epi16(codes, 1), sign);
}

void UnpackGroup(const uint8_t* packed, unsigned width, int16_t* values) {
  _mm512_storeu_si512(values, UnpackValues(packed, width));
}

void UnpackNarrowGroup(const uint8_t* packed, unsigned width, int8_t* values) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values), _mm512_cvtepi16_epi8(UnpackValues(packed, width)));
}

__m512i ZigzagCodes(const int16_t* values) {
  const __m512i source = _mm512_loadu_si512(values);
  return _mm512_xor_si512(_mm512_slli_epi16(source, 1), _mm512_srai_epi16(source, 15));
}

/// `width` is 15 at the most.
uint8_t* PutExceptions(__m512i codes, unsigned width, uint8_t* exceptions) {
  alignas(64) uint16_t lanes[kGroupValues];
  _mm512_store_si512(lanes, codes);
  uint32_t above = _mm512_cmpge_epu16_mask(codes, _mm512_set1_epi16(static_cast<int16_t>(1 << width)));
  for (; above != 0; above &= above - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(above));
    *exceptions++ = static_cast<uint8_t>(lane + (lanes[lane] >> width) * kGroupValues);
  }
  return exceptions;
}

/// Writes the low `width` bits of 32 codes.
void PackGroup(__m512i all_bits, unsigned width, uint8_t* packed) {
  const __m128i above = _mm_cvtsi32_si128(static_cast<int>(16 - width));
  const __m512i codes = _mm512_and_si512(all_bits, _mm512_srl_epi16(_mm512_set1_epi16(-1), above));
  const __m128i once = _mm_cvtsi32_si128(static_cast<int>(width));
  const __m128i twice = _mm_cvtsi32_si128(static_cast<int>(2 * width));
  const __m512i twos = _mm512_or_si512(_mm512_maskz_mov_epi16(0x55555555, codes),
                                       _mm512_sll_epi32(_mm512_srli_epi32(codes, 16), once));
  __m512i fours = _mm512_or_si512(_mm512_maskz_mov_epi32(0x5555, twos),
                                  _mm512_sll_epi64(_mm512_srli_epi64(twos, 32), twice));

  const __mmask8 odd_fours = width % 2 == 0 ? 0 : 0xaa;
  fours = _mm512_mask_slli_epi64(fours, odd_fours, fours, 4);
  const __m512i even = _mm512_maskz_permutexvar_epi8(kPack.even_mask[width],
                                                     _mm512_load_si512(kPack.even_bytes[width]), fours);
  const __m512i odd =
      _mm512_maskz_permutexvar_epi8(kPack.odd_mask[width], _mm512_load_si512(kPack.odd_bytes[width]), fours);
  _mm512_mask_storeu_epi8(packed, kPack.all_mask[width], _mm512_or_si512(even, odd));
}

__m512i PrefixSums(__m512i values) {
  __m512i sums = _mm512_add_epi16(values, _mm512_bslli_epi128(values, 2));
  sums = _mm512_add_epi16(sums, _mm512_bslli_epi128(sums, 4));
  sums = _mm512_add_epi16(sums, _mm512_bslli_epi128(sums, 8));
  // Now of eight; each eight takes the totals of those before it.
  const __m512i totals =
      _mm512_shuffle_epi8(sums, _mm512_set1_epi16(0x0f0e));  // bytes 14 and 15 to each lane
  const __m512i zero = _mm512_setzero_si512();
  const __m512i one_before = _mm512_alignr_epi64(totals, zero, 6);
  const __m512i two_before = _mm512_alignr_epi64(totals, zero, 4);
  const __m512i three_before = _mm512_alignr_epi64(totals, zero, 2);
  return _mm512_add_epi16(_mm512_add_epi16(sums, one_before), _mm512_add_epi16(two_before, three_before));
}

}  // namespace

void Pack(const int16_t* values, size_t count, const uint8_t* widths, const uint8_t* counts, uint8_t* packed,
          uint8_t* exceptions) {
  ForEachGroup(values, count, [&](size_t group, const int16_t* from) {
    const unsigned width = WidthOf(widths, group);
    const __m512i codes = ZigzagCodes(from);
    if (CountOf(counts, group) != 0) exceptions = PutExceptions(codes, width, exceptions);
    PackGroup(codes, width, packed);
    packed += width * kGroupValues / 8;
  });
}

void Unpack(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
            int16_t* values) {
  UnpackGroups(widths, packed, packed_bytes, count, values, UnpackGroup);
}

void UnpackNarrow(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
                  int8_t* values) {
  UnpackGroups(widths, packed, packed_bytes, count, values, UnpackNarrowGroup);
}

void UndoPrediction(int16_t* values, size_t width_blocks, size_t height_blocks) {
  const size_t first_count = (width_blocks - 1) % kGroupValues + 1;
  const __mmask32 first_lanes = ~__mmask32{0} >> (kGroupValues - first_count);
  __m512i above = _mm512_setzero_si512();  // in each lane
  for (size_t y = 0; y < height_blocks; ++y) {
    int16_t* row = values + y * width_blocks;
    // The first vector takes what does not fill one. It is stored whole, once the second one has been loaded:
    // masked stores are slow. The last lane is the total also where lanes are zero.
    __m512i sums = _mm512_add_epi16(PrefixSums(_mm512_maskz_loadu_epi16(first_lanes, row)), above);
    above = _mm512_broadcastw_epi16(_mm512_castsi512_si128(sums));
    if (width_blocks < kGroupValues) {
      _mm512_mask_storeu_epi16(row, first_lanes, sums);
      continue;
    }
    size_t count = first_count;
    for (size_t left = width_blocks - first_count; left != 0; left -= kGroupValues) {
      const __m512i next = _mm512_loadu_si512(row + count);
      _mm512_storeu_si512(row, sums);
      row += count;
      count = kGroupValues;
      const __m512i before = _mm512_permutexvar_epi16(_mm512_set1_epi16(kGroupValues - 1), sums);
      sums = _mm512_add_epi16(PrefixSums(next), before);
    }
    _mm512_storeu_si512(row, sums);
  }
}

}  // namespace freqstore::bp32_avx512

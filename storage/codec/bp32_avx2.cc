// bp32 with AVX2. Compiled with -mavx2 and the like: called only where the CPU has them (bp32_kernels.cc).
#include <immintrin.h>

#include "storage/codec/bp32_group_loops.h"
#include "storage/codec/bp32_implementations.h"

namespace freqstore::bp32_avx2 {
namespace {

constexpr unsigned kWidths = 17;
constexpr unsigned kOctet = 8;  // values; of any width they are whole bytes, as many as the width

__m256i ZigzagCodes(__m256i values) {
  return _mm256_xor_si256(_mm256_slli_epi16(values, 1), _mm256_srai_epi16(values, 15));
}

__m256i ZigzagValues(__m256i codes) {
  const __m256i sign =
      _mm256_sub_epi16(_mm256_setzero_si256(), _mm256_and_si256(codes, _mm256_set1_epi16(1)));
  return _mm256_xor_si256(_mm256_srli_epi16(codes, 1), sign);
}

/// How to bring the values of an octet into lanes.
///
/// Most widths fit lanes of 16 bits: the two bytes that a value starts in hold it whole. A multiplication
/// pushes the bits above it out of the lane, then one shift brings all values down. With widths 11, 13 and 14
/// some values span three bytes: those go through lanes of 32 bits.
struct UnpackTable {
  alignas(16) uint8_t bytes16[kWidths][16];
  alignas(16) uint16_t factors[kWidths][kOctet];
  alignas(32) uint8_t bytes32[kWidths][32];
  alignas(32) uint32_t shifts[kWidths][kOctet];
  bool needs32[kWidths];
};

constexpr UnpackTable kUnpack = [] {
  UnpackTable table{};
  for (unsigned width = 1; width < kWidths; ++width) {
    for (unsigned i = 0; i < kOctet; ++i) {
      const unsigned byte = i * width / 8;
      const unsigned shift = i * width % 8;
      for (unsigned b = 0; b < 2; ++b) table.bytes16[width][2 * i + b] = static_cast<uint8_t>(byte + b);
      for (unsigned b = 0; b < 4; ++b) table.bytes32[width][4 * i + b] = static_cast<uint8_t>(byte + b);
      table.shifts[width][i] = shift;
      if (width + shift > 16) {
        table.needs32[width] = true;
      } else {
        table.factors[width][i] = static_cast<uint16_t>(1u << (16 - width - shift));
      }
    }
  }
  return table;
}();

__m128i Load(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

__m256i UnpackTwoOctets(const uint8_t* packed, unsigned width) {
  const __m256i bytes = _mm256_set_m128i(Load(packed + width), Load(packed));
  const __m256i lanes = _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(Load(kUnpack.bytes16[width])));
  const __m256i high = _mm256_mullo_epi16(lanes, _mm256_broadcastsi128_si256(Load(kUnpack.factors[width])));
  return _mm256_srl_epi16(high, _mm_cvtsi32_si128(static_cast<int>(16 - width)));
}

__m256i UnpackOctet32(const uint8_t* packed, unsigned width) {
  const __m256i bytes = _mm256_broadcastsi128_si256(Load(packed));
  const auto* shuffle = reinterpret_cast<const __m256i*>(kUnpack.bytes32[width]);
  const auto* shifts = reinterpret_cast<const __m256i*>(kUnpack.shifts[width]);
  const __m256i lanes = _mm256_shuffle_epi8(bytes, _mm256_load_si256(shuffle));
  const __m256i low = _mm256_srlv_epi32(lanes, _mm256_load_si256(shifts));
  return _mm256_and_si256(low, _mm256_set1_epi32((1 << width) - 1));
}

__m256i UnpackTwoOctets32(const uint8_t* packed, unsigned width) {
  const __m256i both =
      _mm256_packus_epi32(UnpackOctet32(packed, width), UnpackOctet32(packed + width, width));
  return _mm256_permute4x64_epi64(both, _MM_SHUFFLE(3, 1, 2, 0));
}

void UnpackGroup(const uint8_t* packed, unsigned width, int16_t* values) {
  const uint8_t* const second_half = packed + size_t{2} * width;
  __m256i first;
  __m256i second;
  if (kUnpack.needs32[width]) {
    first = UnpackTwoOctets32(packed, width);
    second = UnpackTwoOctets32(second_half, width);
  } else {
    first = UnpackTwoOctets(packed, width);
    second = UnpackTwoOctets(second_half, width);
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values), ZigzagValues(first));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values + 16), ZigzagValues(second));
}

void UnpackNarrowGroup(const uint8_t* packed, unsigned width, int8_t* values) {
  alignas(32) int16_t wide[kGroupValues];
  UnpackGroup(packed, width, wide);
  const auto* halves = reinterpret_cast<const __m256i*>(wide);
  const __m256i bytes = _mm256_packs_epi16(_mm256_load_si256(halves), _mm256_load_si256(halves + 1));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values),
                      _mm256_permute4x64_epi64(bytes, _MM_SHUFFLE(3, 1, 2, 0)));
}

/// Brings four codes of `width` bits together in the low bits of each 64-bit lane.
__m256i JoinFours(__m256i codes, unsigned width) {
  const __m128i once = _mm_cvtsi32_si128(static_cast<int>(width));
  const __m128i twice = _mm_cvtsi32_si128(static_cast<int>(2 * width));
  const __m256i even = _mm256_blend_epi16(codes, _mm256_setzero_si256(), 0xaa);
  const __m256i pairs = _mm256_or_si256(even, _mm256_sll_epi32(_mm256_srli_epi32(codes, 16), once));
  const __m256i even_pairs = _mm256_blend_epi32(pairs, _mm256_setzero_si256(), 0xaa);
  return _mm256_or_si256(even_pairs, _mm256_sll_epi64(_mm256_srli_epi64(pairs, 32), twice));
}

/// Writes 32 codes of 1..14 bits, and up to 15 bytes beyond them.
void PackGroup(__m256i first, __m256i second, unsigned width, uint8_t* packed) {
  alignas(32) uint64_t fours[kOctet];
  _mm256_store_si256(reinterpret_cast<__m256i*>(fours), JoinFours(first, width));
  _mm256_store_si256(reinterpret_cast<__m256i*>(fours + 4), JoinFours(second, width));
  const unsigned bits = 4 * width;
  for (unsigned i = 0; i < kOctet; i += 2) {
    const uint64_t octet[2] = {fours[i] | (fours[i + 1] << bits), fours[i + 1] >> (64 - bits)};
    std::memcpy(packed, octet, sizeof(octet));
    packed += width;
  }
}

/// Bits of the greatest of 16 codes whose bitwise or has as many as theirs.
unsigned BitWidth(__m256i codes) {
  const __m128i eight = _mm_or_si128(_mm256_castsi256_si128(codes), _mm256_extracti128_si256(codes, 1));
  // The instruction finds the least of eight: of the complements, the complement of the greatest.
  const __m128i least = _mm_minpos_epu16(_mm_xor_si128(eight, _mm_set1_epi16(-1)));
  const auto greatest = static_cast<uint16_t>(~_mm_extract_epi16(least, 0));
  return static_cast<unsigned>(31 - __builtin_clz(2u * greatest + 1));
}

/// All bits of the lanes whose codes do not fit `width` bits, 15 at the most.
__m256i AboveWidth(__m256i codes, unsigned width) {
  const __m256i beyond = _mm256_set1_epi16(static_cast<int16_t>(1 << width));
  return _mm256_cmpeq_epi16(_mm256_min_epu16(codes, beyond), beyond);
}

unsigned CountAbove(__m256i first, __m256i second, unsigned width) {
  const __m256i above = _mm256_packs_epi16(AboveWidth(first, width), AboveWidth(second, width));
  return static_cast<unsigned>(__builtin_popcount(static_cast<unsigned>(_mm256_movemask_epi8(above))));
}

/// Writes the exceptions among 16 codes, the first of which is at `place` of the group.
uint8_t* PutExceptions(__m256i codes, unsigned place, unsigned width, uint8_t* exceptions) {
  alignas(32) uint16_t lanes[16];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), codes);
  unsigned above = static_cast<unsigned>(_mm256_movemask_epi8(AboveWidth(codes, width))) & 0x55555555u;
  for (; above != 0; above &= above - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(above)) / 2;
    *exceptions++ = static_cast<uint8_t>(place + lane + (lanes[lane] >> width) * kGroupValues);
  }
  return exceptions;
}

constexpr size_t kLanes = 16;

__m256i LoadLanes(const int16_t* values) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
}

/// All bits of the first `count` lanes.
__m256i FirstLanes(size_t count) {
  const __m256i index = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm256_cmpgt_epi16(_mm256_set1_epi16(static_cast<int16_t>(count)), index);
}

__m256i PrefixSums(__m256i values) {
  __m256i sums = _mm256_add_epi16(values, _mm256_slli_si256(values, 2));
  sums = _mm256_add_epi16(sums, _mm256_slli_si256(sums, 4));
  sums = _mm256_add_epi16(sums, _mm256_slli_si256(sums, 8));
  // Now of eight; the second eight takes the total of the first.
  const __m256i totals =
      _mm256_shuffle_epi8(sums, _mm256_set1_epi16(0x0f0e));  // bytes 14 and 15 to each lane
  return _mm256_add_epi16(sums, _mm256_permute2x128_si256(totals, totals, 0x08));
}

}  // namespace

Bp32Lengths Measure(const int16_t* values, size_t count, uint8_t* widths, uint8_t* counts) {
  Bp32Lengths lengths;
  ForEachGroup(values, count, [&](size_t group, const int16_t* from) {
    const auto* vectors = reinterpret_cast<const __m256i*>(from);
    const __m256i first = ZigzagCodes(_mm256_loadu_si256(vectors));
    const __m256i second = ZigzagCodes(_mm256_loadu_si256(vectors + 1));
    const unsigned bits = BitWidth(_mm256_or_si256(first, second));
    unsigned width = bits == 15 ? 16 : bits;
    unsigned exceptions = 0;
    unsigned least = 4 * width;
    for (unsigned excess_bits = 1; excess_bits <= kBp32ExcessBits && excess_bits <= bits; ++excess_bits) {
      const unsigned narrower = bits - excess_bits;
      const unsigned above = CountAbove(first, second, narrower);
      if (above > kBp32ExceptionsMax) break;
      const unsigned cost = 4 * narrower + 2 + 2 * above;  // there are some: the greatest code is one
      if (narrower == 15 || cost >= least) continue;
      least = cost;
      width = narrower;
      exceptions = above;
    }
    const unsigned nibble = width == 16 ? 15 : width;
    if (group % 2 == 0) widths[group / 2] = 0;
    if (group % 4 == 0) counts[group / 4] = 0;
    widths[group / 2] = static_cast<uint8_t>(widths[group / 2] | nibble << (group % 2 * 4));
    counts[group / 4] = static_cast<uint8_t>(counts[group / 4] | exceptions << (group % 4 * 2));
    lengths.packed_bytes += width * kGroupValues / 8;
    lengths.exceptions += exceptions;
  });
  return lengths;
}

void Pack(const int16_t* values, size_t count, const uint8_t* widths, const uint8_t* counts, uint8_t* packed,
          uint8_t* exceptions) {
  ForEachGroup(values, count, [&](size_t group, const int16_t* from) {
    const unsigned width = WidthOf(widths, group);
    const auto* vectors = reinterpret_cast<const __m256i*>(from);
    __m256i first = ZigzagCodes(_mm256_loadu_si256(vectors));
    __m256i second = ZigzagCodes(_mm256_loadu_si256(vectors + 1));
    if (CountOf(counts, group) != 0) {
      exceptions = PutExceptions(first, 0, width, exceptions);
      exceptions = PutExceptions(second, 16, width, exceptions);
      const __m256i fitting = _mm256_set1_epi16(static_cast<int16_t>((1 << width) - 1));
      first = _mm256_and_si256(first, fitting);
      second = _mm256_and_si256(second, fitting);
    }
    if (width == 16) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(packed), first);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(packed) + 1, second);
    } else if (width != 0) {
      PackGroup(first, second, width, packed);
    }
    packed += width * kGroupValues / 8;
  });
}

Bp32Lengths Lengths(const uint8_t* widths, const uint8_t* counts, size_t groups) {
  const __m128i width_of_nibble = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16);
  const __m128i low_nibbles = _mm_set1_epi8(15);
  const auto sum_of = [&](__m128i bytes) {
    const __m128i low = _mm_shuffle_epi8(width_of_nibble, _mm_and_si128(bytes, low_nibbles));
    const __m128i high =
        _mm_shuffle_epi8(width_of_nibble, _mm_and_si128(_mm_srli_epi16(bytes, 4), low_nibbles));
    return _mm_sad_epu8(_mm_add_epi8(low, high), _mm_setzero_si128());
  };
  const size_t whole_bytes = groups / 2;
  __m128i sums = _mm_setzero_si128();
  size_t i = 0;
  for (; i + 16 <= whole_bytes; i += 16) sums = _mm_add_epi64(sums, sum_of(Load(widths + i)));
  uint8_t tail[16] = {};
  std::memcpy(tail, widths + i, whole_bytes - i);
  sums = _mm_add_epi64(sums, sum_of(Load(tail)));
  auto width_sum = static_cast<size_t>(_mm_cvtsi128_si64(sums) + _mm_extract_epi64(sums, 1));
  if (groups % 2 != 0) width_sum += WidthOf(widths, groups - 1);
  return {.packed_bytes = width_sum * kGroupValues / 8, .exceptions = SumOfCounts(counts, groups)};
}

void Unpack(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
            int16_t* values) {
  UnpackGroups(widths, packed, packed_bytes, count, values, UnpackGroup);
}

void UnpackNarrow(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
                  int8_t* values) {
  UnpackGroups(widths, packed, packed_bytes, count, values, UnpackNarrowGroup);
}

unsigned WidthMax(const uint8_t* widths, size_t groups) {
  const __m128i low_nibbles = _mm_set1_epi8(15);
  const size_t whole_bytes = groups / 2;  // a spare nibble is not looked at
  const auto max_of = [&](__m128i bytes) {
    return _mm_max_epu8(_mm_and_si128(bytes, low_nibbles),
                        _mm_and_si128(_mm_srli_epi16(bytes, 4), low_nibbles));
  };
  __m128i max = _mm_setzero_si128();
  size_t i = 0;
  for (; i + 16 <= whole_bytes; i += 16) max = _mm_max_epu8(max, max_of(Load(widths + i)));
  uint8_t tail[16] = {};
  std::memcpy(tail, widths + i, whole_bytes - i);
  max = _mm_max_epu8(max, max_of(Load(tail)));
  // The instruction finds the least of eight: of the complements, the complement of the greatest.
  const __m128i greatest = _mm_max_epu16(_mm_and_si128(max, _mm_set1_epi16(255)), _mm_srli_epi16(max, 8));
  const __m128i least = _mm_minpos_epu16(_mm_xor_si128(greatest, _mm_set1_epi16(-1)));
  const unsigned nibble = static_cast<uint16_t>(~_mm_extract_epi16(least, 0));
  unsigned width = nibble == 15 ? 16 : nibble;
  if (groups % 2 != 0 && WidthOf(widths, groups - 1) > width) width = WidthOf(widths, groups - 1);
  return width;
}

void UndoPrediction(int16_t* values, size_t width_blocks, size_t height_blocks) {
  const size_t first_count = (width_blocks - 1) % kLanes + 1;
  const __m256i first_lanes = FirstLanes(first_count);
  __m256i above = _mm256_setzero_si256();  // in each lane
  for (size_t y = 0; y < height_blocks; ++y) {
    int16_t* row = values + y * width_blocks;
    if (width_blocks < kLanes) {
      alignas(32) int16_t narrow[kLanes] = {};
      std::memcpy(narrow, row, width_blocks * sizeof(int16_t));
      auto* const at = reinterpret_cast<__m256i*>(narrow);
      const __m256i sums = _mm256_add_epi16(PrefixSums(_mm256_load_si256(at)), above);
      _mm256_store_si256(at, sums);
      std::memcpy(row, narrow, width_blocks * sizeof(int16_t));
      above = _mm256_broadcastw_epi16(_mm256_castsi256_si128(sums));
      continue;
    }
    // The first vector takes what does not fill one. It is stored whole, once the second one has been loaded.
    // The last lane is the total also where lanes are zero.
    const __m256i first = _mm256_and_si256(LoadLanes(row), first_lanes);
    __m256i sums = _mm256_add_epi16(PrefixSums(first), above);
    above = _mm256_broadcastw_epi16(_mm256_castsi256_si128(sums));
    size_t count = first_count;
    for (size_t left = width_blocks - first_count; left != 0; left -= kLanes) {
      const __m256i next = LoadLanes(row + count);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(row), sums);
      row += count;
      count = kLanes;
      const __m256i last_eight = _mm256_permute4x64_epi64(sums, _MM_SHUFFLE(3, 2, 3, 2));
      sums = _mm256_add_epi16(PrefixSums(next), _mm256_shuffle_epi8(last_eight, _mm256_set1_epi16(0x0f0e)));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(row), sums);
  }
}

}  // namespace freqstore::bp32_avx2

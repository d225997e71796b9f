// SymbolKernels with AVX-512: the values of a block that are not zero are moved together and coded 16 at a
// time.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

#include "storage/jpeg/block_symbols.h"
#include "storage/jpeg/value_coding.h"

namespace freqstore::symbols_avx512 {
namespace {

constexpr size_t kLanes = 16;

/// Symbols for 16 values and the runs of zeros before them.
__m512i SymbolsOf(__m256i values, __m128i runs, __m512i table) {
  const __m512i value = _mm512_cvtepi16_epi32(values);
  const __m512i category =
      _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(_mm512_abs_epi32(value)));
  const __m512i bits = _mm512_andnot_si512(_mm512_sllv_epi32(_mm512_set1_epi32(-1), category),
                                           _mm512_add_epi32(value, _mm512_srai_epi32(value, 31)));
  const __m512i run = _mm512_slli_epi32(_mm512_cvtepu8_epi32(runs), 5);
  const __m512i place = _mm512_add_epi32(_mm512_add_epi32(table, run), category);
  return _mm512_or_si512(_mm512_slli_epi32(place, 16), bits);
}

/// A block with runs that need symbols of their own.
ListedSymbol* ListLongRuns(const int16_t* block, uint64_t nonzero, size_t table, ListedSymbol* symbols) {
  const auto append = [&](size_t place, uint32_t bits) {
    *symbols++ = static_cast<uint32_t>(table + place) << 16 | bits;
  };
  uint64_t previous = 0;
  for (; nonzero != 0; nonzero &= nonzero - 1) {
    const uint64_t z = _tzcnt_u64(nonzero);
    uint64_t run = z - previous - 1;
    previous = z;
    for (; run >= kZeroRun; run -= kZeroRun) append(kZeroRunPlace, 0);
    const int value = block[z];
    const int sign = value >> 31;
    const uint32_t category =
        static_cast<uint32_t>(32 - __builtin_clz(static_cast<uint32_t>((value ^ sign) - sign)));
    append(run << 5 | category, _bzhi_u32(static_cast<uint32_t>(value + sign), category));
  }
  return symbols;
}

/// Bits that are being written: first without the zeros behind 0xff.
struct PlainBits {
  uint64_t bits;     ///< from the top
  uint64_t pending;  ///< how many, less than 8 between calls
  uint8_t* out;

  __attribute__((always_inline)) void Put(uint64_t value, uint64_t length) {
    pending += length;
    bits |= value << ((64 - pending) & 63);
    const uint64_t big_endian = __builtin_bswap64(bits);
    std::memcpy(out, &big_endian, sizeof(big_endian));
    out += pending >> 3;
    bits <<= pending & 56;
    pending &= 7;
  }
};

constexpr uint64_t kPlainBitsMax = 56;  ///< that Put takes at once

/// Copies bytes with a zero behind each 0xff; reads and writes up to a vector beyond the ends.
uint8_t* CopyStuffed(const uint8_t* from, size_t count, uint8_t* to) {
  constexpr size_t kVector = 64;
  const __m512i ones = _mm512_set1_epi8(-1);
  for (size_t i = 0; i < count; i += kVector) {
    const size_t bytes = count - i < kVector ? count - i : kVector;
    const __m512i vector = _mm512_loadu_si512(from + i);
    _mm512_storeu_si512(to, vector);
    uint64_t stuffed = _bzhi_u64(_mm512_cmpeq_epi8_mask(vector, ones), static_cast<uint32_t>(bytes));
    size_t done = 0;
    for (; stuffed != 0; stuffed &= stuffed - 1) {
      const size_t next = static_cast<size_t>(_tzcnt_u64(stuffed)) + 1;
      to += next - done;
      *to++ = 0;
      done = next;
      _mm512_storeu_si512(to, _mm512_loadu_si512(from + i + done));
    }
    to += bytes - done;
  }
  return to;
}

}  // namespace

ListedSymbol* ListAc(const int16_t* block, size_t table, ListedSymbol* symbols) {
  const __m512i low = _mm512_loadu_si512(block);
  const __m512i high = _mm512_loadu_si512(block + 32);
  const uint64_t nonzero =
      (uint64_t{_mm512_test_epi16_mask(high, high)} << 32 | _mm512_test_epi16_mask(low, low)) & ~uint64_t{1};
  const auto end_of_block = static_cast<ListedSymbol>(table + kEndOfBlockPlace) << 16;
  const auto count = static_cast<size_t>(_mm_popcnt_u64(nonzero));

  alignas(64) static constexpr auto kIndices = [] {
    struct {
      uint8_t ascending[64];
      uint8_t before[64];
    } indices{};
    for (int i = 0; i < 64; ++i) {
      indices.ascending[i] = static_cast<uint8_t>(i);
      indices.before[i] = static_cast<uint8_t>(i - 1);
    }
    return indices;
  }();
  // Where the values are, and where the one before each is: DC before the first.
  const __m512i places = _mm512_maskz_compress_epi8(nonzero, _mm512_load_si512(kIndices.ascending));
  const __m512i before =
      _mm512_maskz_permutexvar_epi8(~uint64_t{1}, _mm512_load_si512(kIndices.before), places);
  const __m512i runs = _mm512_sub_epi8(_mm512_sub_epi8(places, before), _mm512_set1_epi8(1));
  const uint64_t listed = _bzhi_u64(~uint64_t{0}, static_cast<uint32_t>(count));
  if (_mm512_mask_cmpge_epu8_mask(listed, runs, _mm512_set1_epi8(kZeroRun)) != 0) {
    symbols = ListLongRuns(block, nonzero, table, symbols);
  } else {
    const __m512i table_start = _mm512_set1_epi32(static_cast<int>(table));
    const __m512i values =
        _mm512_permutex2var_epi16(low, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(places)), high);
    _mm512_storeu_si512(symbols,
                        SymbolsOf(_mm512_castsi512_si256(values), _mm512_castsi512_si128(runs), table_start));
    _mm512_storeu_si512(symbols + kLanes, SymbolsOf(_mm512_extracti64x4_epi64(values, 1),
                                                    _mm512_extracti32x4_epi32(runs, 1), table_start));
    if (count > 2 * kLanes) {
      const __m512i rest =
          _mm512_permutex2var_epi16(low, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(places, 1)), high);
      _mm512_storeu_si512(symbols + 2 * kLanes, SymbolsOf(_mm512_castsi512_si256(rest),
                                                          _mm512_extracti32x4_epi32(runs, 2), table_start));
      _mm512_storeu_si512(symbols + 3 * kLanes, SymbolsOf(_mm512_extracti64x4_epi64(rest, 1),
                                                          _mm512_extracti32x4_epi32(runs, 3), table_start));
    }
    symbols += count;
  }
  *symbols = end_of_block;
  return symbols + (nonzero >> 63 == 0 ? 1 : 0);
}

ScanCode Put(const ListedSymbol* symbols, size_t count, const ScanCode* codes, BitCursor& cursor) {
  // Two vectors beyond the longest list may be read.
  uint8_t plain[kPutSymbolsMax * 4 + 2 * 64];
  cursor.StoreBytes();
  const auto begun = static_cast<uint64_t>(64 - cursor.free);
  PlainBits bits = {begun == 0 ? 0 : cursor.bits << (64 - begun), begun, plain};
  ScanCode all_codes = 0;
  size_t i = 0;
  for (; i + 1 < count; i += 2) {
    const ScanCode first = codes[symbols[i] >> 16];
    const ScanCode second = codes[symbols[i + 1] >> 16];
    all_codes |= first | second;
    const uint64_t first_bits = first >> 8 | (symbols[i] & 0xffff);
    const uint64_t second_bits = second >> 8 | (symbols[i + 1] & 0xffff);
    const uint64_t second_length = second & 0xff;
    const uint64_t length = (first & 0xff) + second_length;
    if (length > kPlainBitsMax) {
      bits.Put(first_bits, first & 0xff);
      bits.Put(second_bits, second_length);
    } else {
      bits.Put(first_bits << second_length | second_bits, length);
    }
  }
  if (i < count) {
    const ScanCode code = codes[symbols[i] >> 16];
    all_codes |= code;
    bits.Put(code >> 8 | (symbols[i] & 0xffff), code & 0xff);
  }
  cursor.out = CopyStuffed(plain, static_cast<size_t>(bits.out - plain), cursor.out);
  cursor.bits = bits.pending == 0 ? 0 : bits.bits >> (64 - bits.pending);
  cursor.free = 64 - static_cast<int>(bits.pending);
  return all_codes;
}

}  // namespace freqstore::symbols_avx512

// Encoding r32 with AVX-512: the inverse of r32_avx512.cc, from the last group to the first.
//
// The 32 states are two vectors of 32 bits here, for states are divided by frequencies.
#include <cstddef>
#include <cstdint>
#include <immintrin.h>

#include "storage/codec/r32_implementations.h"

namespace freqstore::r32_avx512 {
namespace {

constexpr size_t kHalf = kR32Lanes / 2;

/// Lanes 0..15, or 16..31.
struct Half {
  __m512i states;
  __mmask16 active;
};

struct Lanes {
  Half half[2];
  uint16_t* words;
};

/// Splits values into tokens and raw bits: r32_token.h, for 16 at a time.
struct Split {
  __m512i tokens;
  __m512i raw_bits;
  __m512i raw;
};

Split SplitValues(__m512i values) {
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i magnitude = _mm512_abs_epi32(values);
  const __m512i exponent = _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(magnitude));
  const __m512i mantissa = _mm512_andnot_si512(_mm512_sllv_epi32(_mm512_set1_epi32(-1), exponent), magnitude);
  const __m512i sign = _mm512_srli_epi32(values, 31);
  const __mmask16 large = _mm512_cmpge_epi32_mask(magnitude, _mm512_set1_epi32(4));
  const __mmask16 nonzero = _mm512_test_epi32_mask(magnitude, magnitude);
  return {.tokens = _mm512_mask_add_epi32(magnitude, large, exponent, _mm512_set1_epi32(2)),
          .raw_bits = _mm512_mask_add_epi32(_mm512_maskz_mov_epi32(nonzero, one), large, exponent, one),
          .raw = _mm512_mask_or_epi32(sign, large, sign, _mm512_add_epi32(mantissa, mantissa))};
}

/// Lanes of `full` put their low 16 bits in front of the words, in ascending order.
void Spill(__mmask16 full, Half& half, uint16_t*& words) {
  const auto count = static_cast<unsigned>(_mm_popcnt_u32(full));
  words -= count;
  const __m512i packed = _mm512_maskz_compress_epi32(full, half.states);
  _mm256_mask_storeu_epi16(words, static_cast<__mmask16>(_bzhi_u32(0xffff, count)),
                           _mm512_cvtepi32_epi16(packed));
  half.states = _mm512_mask_srli_epi32(half.states, full, half.states, 16);
}

void PushRaw(const Split& split, Half& half, uint16_t*& words) {
  const __m512i above =
      _mm512_srlv_epi32(half.states, _mm512_sub_epi32(_mm512_set1_epi32(32), split.raw_bits));
  Spill(_mm512_mask_test_epi32_mask(half.active, above, above), half, words);
  half.states = _mm512_mask_or_epi32(half.states, half.active, _mm512_sllv_epi32(half.states, split.raw_bits),
                                     split.raw);
}

/// The quotient comes from float arithmetic, whose error is below 1 as it is below 2^22.
void PushTokens(__m512i entries, Half& half, uint16_t*& words) {
  const __m512i frequency = _mm512_and_si512(entries, _mm512_set1_epi32(0xffff));
  const __m512i begin = _mm512_srli_epi32(entries, 16);
  const __m512i above = _mm512_srli_epi32(half.states, 32 - kR32ProbabilityBits);
  Spill(_mm512_mask_cmpge_epu32_mask(half.active, above, frequency), half, words);

  const __m512 ratio = _mm512_div_ps(_mm512_cvtepu32_ps(half.states), _mm512_cvtepi32_ps(frequency));
  __m512i quotient = _mm512_cvttps_epi32(ratio);
  __m512i rest = _mm512_sub_epi32(half.states, _mm512_mullo_epi32(quotient, frequency));
  const __mmask16 too_large = _mm512_movepi32_mask(rest);
  quotient = _mm512_mask_sub_epi32(quotient, too_large, quotient, _mm512_set1_epi32(1));
  rest = _mm512_mask_add_epi32(rest, too_large, rest, frequency);
  const __mmask16 too_small = _mm512_cmpge_epi32_mask(rest, frequency);
  quotient = _mm512_mask_add_epi32(quotient, too_small, quotient, _mm512_set1_epi32(1));
  rest = _mm512_mask_sub_epi32(rest, too_small, rest, frequency);

  const __m512i scaled = _mm512_slli_epi32(quotient, kR32ProbabilityBits);
  half.states = _mm512_mask_add_epi32(half.states, half.active, scaled, _mm512_add_epi32(begin, rest));
}

/// The first `count` lanes take part in a step, or all.
void SetActive(size_t count, Lanes& state) {
  const auto lanes = static_cast<unsigned>(count < kR32Lanes ? count : kR32Lanes);
  const uint32_t mask = _bzhi_u32(0xffffffff, lanes);
  state.half[0].active = static_cast<__mmask16>(mask);
  state.half[1].active = static_cast<__mmask16>(mask >> kHalf);
}

/// The context of each activity, widened to 32 bits.
__m512i Contexts(const R32Contexts& contexts, const uint8_t* activities) {
  const __m128i of = _mm_loadu_si128(reinterpret_cast<const __m128i*>(activities));
  __m128i reached = _mm_setzero_si128();
  for (size_t i = 0; i + 1 < contexts.count; ++i) {
    const __m128i threshold = _mm_set1_epi8(static_cast<char>(contexts.thresholds[i]));
    reached = _mm_sub_epi8(reached, _mm_cmpeq_epi8(_mm_max_epu8(of, threshold), of));
  }
  return _mm512_cvtepu8_epi32(reached);
}

__m512i LoadValues(const R32Image& image, size_t first) {
  if (image.narrow != nullptr)
    return _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(image.narrow + first)));
  return _mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(image.wide + first)));
}

void EncodeGroup(const R32EncodeTable& table, const R32Image& image, const uint8_t* activities, size_t first,
                 Lanes& lanes) {
  SetActive(image.blocks - first, lanes);
  const Split splits[2] = {SplitValues(LoadValues(image, first)),
                           SplitValues(LoadValues(image, first + kHalf))};
  for (const size_t h : {size_t{1}, size_t{0}}) PushRaw(splits[h], lanes.half[h], lanes.words);
  for (const size_t h : {size_t{1}, size_t{0}}) {
    const __m512i contexts = Contexts(table.model.values, activities + first + h * kHalf);
    const __m512i index = _mm512_or_si512(_mm512_slli_epi32(contexts, 5), splits[h].tokens);
    const __m512i entries = _mm512_mask_i32gather_epi32(_mm512_set1_epi32(1), lanes.half[h].active, index,
                                                        table.entries[0], sizeof(uint32_t));
    PushTokens(entries, lanes.half[h], lanes.words);
  }
}

void EncodeMarks(const R32Model& model, const R32Image& image, size_t groups, const uint8_t* activities,
                 Lanes& lanes) {
  alignas(64) uint32_t occupied_by_context[16] = {};
  for (size_t context = 0; context < kR32ContextsMax; ++context)
    occupied_by_context[context] = model.occupied[context];
  for (size_t end = groups; end > 0;) {
    const size_t begin = (end - 1) / kR32Lanes * kR32Lanes;
    SetActive(end - begin, lanes);
    for (const size_t h : {size_t{1}, size_t{0}}) {
      const size_t first = begin + h * kHalf;
      const __m512i contexts = Contexts(model.groups, activities + first);
      const __m512i occupied = _mm512_permutexvar_epi32(contexts, _mm512_load_si512(occupied_by_context));
      const __m512i empty = _mm512_sub_epi32(_mm512_set1_epi32(kR32ProbabilityScale), occupied);
      const __m128i counts = _mm_loadu_si128(reinterpret_cast<const __m128i*>(image.counts + first));
      const __mmask16 is_occupied = _mm_test_epi8_mask(counts, counts);
      const __m512i entries =
          _mm512_mask_or_epi32(empty, is_occupied, occupied, _mm512_slli_epi32(empty, 16));
      PushTokens(entries, lanes.half[h], lanes.words);
    }
    end = begin;
  }
}

}  // namespace

void Encode(const R32EncodeTable& table, const R32Image& image, const uint8_t* activities,
            const uint8_t* group_activities, R32Sink& sink) {
  const R32Model& model = table.model;
  const size_t groups = (image.blocks + kR32Lanes - 1) / kR32Lanes;
  Lanes lanes{.half = {{_mm512_loadu_si512(sink.states), 0}, {_mm512_loadu_si512(sink.states + kHalf), 0}},
              .words = sink.words};
  for (size_t group = groups; group-- > 0;) {
    if (model.marks_groups && image.counts[group] == 0) continue;
    EncodeGroup(table, image, activities, group * kR32Lanes, lanes);
  }
  if (model.marks_groups) EncodeMarks(model, image, groups, group_activities, lanes);
  for (const size_t h : {size_t{0}, size_t{1}})
    _mm512_storeu_si512(sink.states + h * kHalf, lanes.half[h].states);
  sink.words = lanes.words;
}

}  // namespace freqstore::r32_avx512

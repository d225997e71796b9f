// Activities of 32 places at a time, for the vector implementations of r32. Private to storage/codec,
// included by r32_avx2.cc and r32_avx512.cc only; internal to each, see bp32_group_loops.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

#include "storage/codec/r32_model.h"

namespace freqstore {
namespace {

constexpr size_t kReferencePairs = kR32ReferencesMax / 2;

/// Weights as vpmaddubsw wants them: two references at a time.
struct ActivityWeights {
  size_t pairs;
  __m128i shift;
  __m256i weights[kReferencePairs];
};

inline ActivityWeights MakeActivityWeights(const R32Model& model, uint8_t shift) {
  ActivityWeights made;
  made.pairs = (model.reference_count + 1u) / 2;
  made.shift = _mm_cvtsi32_si128(shift);
  for (size_t p = 0; p < kReferencePairs; ++p) {
    const R32Reference* pair = &model.references[2 * p];
    const int second = 2 * p + 1 < model.reference_count ? pair[1].weight : 0;
    made.weights[p] = _mm256_set1_epi16(static_cast<int16_t>(pair[0].weight | second << 8));
  }
  return made;
}

/// Planes for ActivitiesAt: as many as a model has references, and the last once more if that is odd.
struct ActivityPlanes {
  const int8_t* planes[kR32ReferencesMax];
};

inline ActivityPlanes MakeActivityPlanes(const R32Model& model, const int8_t* const* planes) {
  ActivityPlanes made{};
  for (size_t r = 0; r < model.reference_count; ++r) made.planes[r] = planes[r];
  if (model.reference_count % 2 != 0) made.planes[model.reference_count] = planes[model.reference_count - 1u];
  return made;
}

/// The activities of places [at, at + 32), a byte each. Sums saturate at 32767 as the format says: no
/// weighted pair reaches it alone.
inline __m256i ActivitiesAt(const ActivityWeights& weights, const ActivityPlanes& planes, size_t at) {
  __m256i low = _mm256_setzero_si256();
  __m256i high = _mm256_setzero_si256();
  for (size_t p = 0; p < weights.pairs; ++p) {
    const auto load = [&](size_t r) {
      return _mm256_abs_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(planes.planes[r] + at)));
    };
    const __m256i first = load(2 * p);
    const __m256i second = load(2 * p + 1);
    low =
        _mm256_adds_epi16(low, _mm256_maddubs_epi16(_mm256_unpacklo_epi8(first, second), weights.weights[p]));
    high = _mm256_adds_epi16(high,
                             _mm256_maddubs_epi16(_mm256_unpackhi_epi8(first, second), weights.weights[p]));
  }
  const __m256i shifted =
      _mm256_packus_epi16(_mm256_srl_epi16(low, weights.shift), _mm256_srl_epi16(high, weights.shift));
  return _mm256_min_epu8(shifted, _mm256_set1_epi8(kR32ActivityMax));
}

inline void ActivitiesOf(const R32Model& model, const int8_t* const* planes, uint8_t shift, size_t count,
                         uint8_t* out) {
  const ActivityWeights weights = MakeActivityWeights(model, shift);
  const ActivityPlanes used = MakeActivityPlanes(model, planes);
  for (size_t at = 0; at < count; at += kR32Lanes) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + at), ActivitiesAt(weights, used, at));
  }
}

}  // namespace
}  // namespace freqstore

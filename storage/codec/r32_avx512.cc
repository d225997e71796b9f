// r32 with AVX-512 VBMI2. Compiled with -mavx512vbmi2 and the like: called only where the CPU has them
// (r32_kernels.cc).
//
// The 32 lanes' states are two vectors of 16 bits, the high and the low halves. Nothing is gathered: a token
// is found by a binary search, one level of the search tree after the other, whose thresholds for all
// contexts fit into a few vectors. Frequency and start of the token are the last thresholds that were passed.
#include <cstddef>
#include <cstdint>
#include <immintrin.h>

#include "storage/codec/r32_activity_avx2.h"
#include "storage/codec/r32_implementations.h"
#include "storage/codec/r32_strand_loop.h"
#include "storage/codec/r32_tables.h"

namespace freqstore {
namespace {

constexpr __mmask32 kAllLanes = 0xffffffff;
constexpr int kContextBits = R32SearchTables::kContextBits;

size_t TableBytes(const R32Model&) {
  return sizeof(R32SearchTables);
}

void Prepare(const R32Model& model, uint8_t* tables) {
  PrepareR32Search(model, *reinterpret_cast<R32SearchTables*>(tables));
}

// ---------------------------------------------------------------------------------------------- decoding

struct Lanes {
  __m512i high;
  __m512i low;
  size_t next;  ///< word
};

Lanes LoadLanes(const R32Stream& stream) {
  return {_mm512_load_si512(stream.high), _mm512_load_si512(stream.low), stream.next};
}

void StoreLanes(const Lanes& lanes, R32Stream& stream) {
  _mm512_store_si512(stream.high, lanes.high);
  _mm512_store_si512(stream.low, lanes.low);
  stream.next = lanes.next;
}

/// The next 32 words; those at and beyond the end are 0.
[[gnu::always_inline]] inline __m512i PeekWords(const R32Stream& stream, size_t next) {
  if (next + kR32Lanes <= stream.end) [[likely]]
    return _mm512_loadu_si512(stream.words + 2 * next);
  const auto left = static_cast<unsigned>(next < stream.end ? stream.end - next : 0);
  return _mm512_maskz_loadu_epi16(_bzhi_u32(kAllLanes, left), stream.words + 2 * Least(next, stream.end));
}

/// Lanes of `active` whose state is below 2^16 take a word, in ascending order.
[[gnu::always_inline]] inline void Refill(const R32Stream& stream, __mmask32 active, Lanes& lanes) {
  const __mmask32 needy = _mm512_mask_testn_epi16_mask(active, lanes.high, lanes.high);
  const __m512i words = PeekWords(stream, lanes.next);
  lanes.high = _mm512_mask_mov_epi16(lanes.high, needy, lanes.low);
  lanes.low = _mm512_mask_expand_epi16(lanes.low, needy, words);
  lanes.next += static_cast<size_t>(_mm_popcnt_u32(needy));
}

/// state = frequency * (state / 1024) + offset in the lanes of `active`. With the state as high * 2^16 + low
/// and a frequency below 1024, both products fit: frequency * 64 and 16 bits, frequency * (low / 1024).
[[gnu::always_inline]] inline void Advance(__m512i frequency, __m512i offset, __mmask32 active,
                                           Lanes& lanes) {
  const __m512i rest = _mm512_add_epi16(
      _mm512_mullo_epi16(frequency, _mm512_srli_epi16(lanes.low, kR32ProbabilityBits)), offset);
  const __m512i scaled = _mm512_slli_epi16(frequency, 16 - kR32ProbabilityBits);
  const __m512i low = _mm512_add_epi16(_mm512_mullo_epi16(scaled, lanes.high), rest);
  const __m512i high = _mm512_mulhi_epu16(scaled, lanes.high);
  const __mmask32 carry = _mm512_cmplt_epu16_mask(low, rest);
  const __m512i carried = _mm512_mask_add_epi16(high, carry, high, _mm512_set1_epi16(1));
  lanes.low = _mm512_mask_mov_epi16(lanes.low, active, low);
  lanes.high = _mm512_mask_mov_epi16(lanes.high, active, carried);
}

/// The search for the token whose range holds `slot`: `begin` and `end` close in on it.
struct Search {
  __m512i slot;
  __m512i node;
  __m512i begin = _mm512_setzero_si512();
  __m512i end = _mm512_set1_epi16(kR32ProbabilityScale);

  template <int kLevel>
  [[gnu::always_inline]] void Descend(__m512i thresholds) {
    const __mmask32 right = _mm512_cmple_epu16_mask(thresholds, slot);
    begin = _mm512_mask_mov_epi16(begin, right, thresholds);
    end = _mm512_mask_mov_epi16(thresholds, right, end);
    node = _mm512_mask_add_epi16(node, right, node, _mm512_set1_epi16(int16_t{1} << (kContextBits + kLevel)));
  }
};

template <int kLevels>
[[gnu::always_inline]] inline void FindTokens(const R32SearchTables& tables, Search& search) {
  const auto load = [](const uint16_t* values) { return _mm512_load_si512(values); };
  search.Descend<0>(_mm512_permutexvar_epi16(search.node, load(tables.level0)));
  search.Descend<1>(_mm512_permutexvar_epi16(search.node, load(tables.level1)));
  search.Descend<2>(_mm512_permutexvar_epi16(search.node, load(tables.level2)));
  if constexpr (kLevels > 3) {
    search.Descend<3>(_mm512_permutex2var_epi16(load(tables.level3), search.node, load(tables.level3 + 32)));
  }
  if constexpr (kLevels > 4) {
    const __m512i lower =
        _mm512_permutex2var_epi16(load(tables.level4), search.node, load(tables.level4 + 32));
    const __m512i upper =
        _mm512_permutex2var_epi16(load(tables.level4 + 64), search.node, load(tables.level4 + 96));
    const __mmask32 is_upper = _mm512_test_epi16_mask(search.node, _mm512_set1_epi16(64));
    search.Descend<4>(_mm512_mask_mov_epi16(lower, is_upper, upper));
  }
}

/// What Strand wants (r32_strand_loop.h).
template <int kLevels, bool kIsWide, bool kDc>
class Coder {
 public:
  using State = Lanes;

  Coder(const R32Column& column, R32Stream& stream, const R32Image& image)
      : model_(column.model),
        tables_(reinterpret_cast<const R32SearchTables*>(column.tables)),
        stream_(&stream),
        image_(&image),
        weights_(MakeActivityWeights(*column.model, column.model->values.shift)),
        planes_(MakeActivityPlanes(*column.model, image.references.planes)),
        dc_distance_(kDc ? R32DcDistance(image.width_blocks) : 0) {}

  State Load() const { return LoadLanes(*stream_); }
  void Store(const State& lanes) const { StoreLanes(lanes, *stream_); }

  size_t ListGroups(State& lanes) const {
    const size_t groups = (image_->blocks + kR32Lanes - 1) / kR32Lanes;
    if (model_->marks_groups) return DecodeMarks(groups, lanes);
    for (size_t group = 0; group < groups; ++group) image_->occupied[group] = static_cast<uint32_t>(group);
    return groups;
  }

  template <bool kPartial>
  [[gnu::always_inline]] void Decode(size_t first, State& lanes) const {
    const __mmask32 active =
        kPartial ? _bzhi_u32(kAllLanes, static_cast<unsigned>(image_->blocks - first)) : kAllLanes;
    const __m512i contexts =
        kDc ? DcContexts(first) : ContextsOf(tables_->value_contexts, ActivitiesAt(weights_, planes_, first));

    Search search{.slot = _mm512_and_si512(lanes.low, _mm512_set1_epi16(kR32ProbabilityScale - 1)),
                  .node = contexts};
    FindTokens<kLevels>(*tables_, search);
    Advance(_mm512_sub_epi16(search.end, search.begin), _mm512_sub_epi16(search.slot, search.begin), active,
            lanes);
    Refill(*stream_, active, lanes);

    const __m512i way = _mm512_srli_epi16(search.node, kContextBits);
    __m512i raw_bits = _mm512_permutexvar_epi16(way, _mm512_load_si512(kR32TokensByWay.raw_bits[kLevels]));
    if constexpr (kPartial) raw_bits = _mm512_maskz_mov_epi16(active, raw_bits);
    const __m512i base = _mm512_permutexvar_epi16(way, _mm512_load_si512(kR32TokensByWay.base[kLevels]));
    const __m512i raw = _mm512_andnot_si512(_mm512_sllv_epi16(_mm512_set1_epi16(-1), raw_bits), lanes.low);
    lanes.low = _mm512_shrdv_epi16(lanes.low, lanes.high, raw_bits);
    lanes.high = _mm512_srlv_epi16(lanes.high, raw_bits);
    Refill(*stream_, active, lanes);

    const __m512i magnitude = _mm512_add_epi16(base, _mm512_srli_epi16(raw, 1));
    const __mmask32 negative = _mm512_test_epi16_mask(raw, _mm512_set1_epi16(1));
    Store(first, active, _mm512_mask_sub_epi16(magnitude, negative, _mm512_setzero_si512(), magnitude));
  }

 private:
  [[gnu::always_inline]] void Store(size_t first, __mmask32 active, __m512i values) const {
    if constexpr (kIsWide) {
      _mm512_storeu_si512(image_->wide + first, values);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(image_->context + first), _mm512_cvtsepi16_epi8(values));
    } else {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(image_->narrow + first), _mm512_cvtepi16_epi8(values));
    }
    if constexpr (!kDc) {
      const __mmask32 nonzero = _mm512_mask_test_epi16_mask(active, values, values);
      image_->counts[first / kR32Lanes] = static_cast<uint8_t>(_mm_popcnt_u32(nonzero));
    }
  }

  /// A group's contexts from the residuals of DC a row above.
  [[gnu::always_inline]] __m512i DcContexts(size_t first) const {
    if (first < dc_distance_ + 1) [[unlikely]]
      return DcBorderContexts(first);
    const int8_t* const above = image_->context + (first - dc_distance_);
    const auto load = [](const int8_t* from) {
      return _mm512_cvtepu8_epi16(
          _mm256_abs_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
    };
    const __m512i sum = _mm512_add_epi16(_mm512_add_epi16(load(above - 1), load(above + 1)),
                                         _mm512_slli_epi16(load(above), 1));
    return ContextsOf(
        _mm512_min_epu16(_mm512_srli_epi16(sum, 2), _mm512_set1_epi16(kR32DcBorderActivity - 1)));
  }

  [[gnu::noinline]] __m512i DcBorderContexts(size_t first) const {
    alignas(64) uint16_t activities[kR32Lanes];
    for (size_t i = 0; i < kR32Lanes; ++i)
      activities[i] = R32DcActivity(image_->context, dc_distance_, first + i);
    return ContextsOf(_mm512_load_si512(activities));
  }

  /// Of activities of 16 bits each. The context of activity 0 is 0, so the upper bytes stay 0.
  [[gnu::always_inline]] __m512i ContextsOf(__m512i activities) const {
    return _mm512_permutex2var_epi8(_mm512_load_si512(tables_->value_contexts), activities,
                                    _mm512_load_si512(tables_->value_contexts + 64));
  }

  [[gnu::always_inline]] static __m512i ContextsOf(const uint8_t* by_activity, __m256i activities) {
    const __m512i contexts =
        _mm512_permutex2var_epi8(_mm512_load_si512(by_activity), _mm512_castsi256_si512(activities),
                                 _mm512_load_si512(by_activity + 64));
    return _mm512_cvtepu8_epi16(_mm512_castsi512_si256(contexts));
  }

  size_t DecodeMarks(size_t groups, State& lanes) const {
    const ActivityWeights weights = MakeActivityWeights(*model_, model_->groups.shift);
    const int8_t* counts[kR32ReferencesMax];
    for (size_t r = 0; r < kR32ReferencesMax; ++r)
      counts[r] = reinterpret_cast<const int8_t*>(image_->references.counts[r]);
    const ActivityPlanes planes = MakeActivityPlanes(*model_, counts);
    uint32_t* next = image_->occupied;
    for (size_t first = 0; first < groups; first += kR32Lanes) {
      const auto left = static_cast<unsigned>(Least(groups - first, kR32Lanes));
      const __mmask32 active = _bzhi_u32(kAllLanes, left);
      const __m512i contexts = ContextsOf(tables_->group_contexts, ActivitiesAt(weights, planes, first));
      const __mmask32 occupied = DecodeMarkStep(contexts, active, lanes);
      for (uint32_t bits = active & ~occupied; bits != 0; bits = _blsr_u32(bits))
        ClearGroup(first + static_cast<size_t>(_tzcnt_u32(bits)));
      next = List(occupied, static_cast<uint32_t>(first), next);
    }
    return static_cast<size_t>(next - image_->occupied);
  }

  [[gnu::always_inline]] __mmask32 DecodeMarkStep(__m512i contexts, __mmask32 active, State& lanes) const {
    const __m512i empty = _mm512_permutexvar_epi16(contexts, _mm512_load_si512(tables_->empty));
    const __m512i slot = _mm512_and_si512(lanes.low, _mm512_set1_epi16(kR32ProbabilityScale - 1));
    const __mmask32 occupied = _mm512_mask_cmple_epu16_mask(active, empty, slot);
    const __m512i begin = _mm512_maskz_mov_epi16(occupied, empty);
    const __m512i frequency =
        _mm512_mask_sub_epi16(empty, occupied, _mm512_set1_epi16(kR32ProbabilityScale), empty);
    Advance(frequency, _mm512_sub_epi16(slot, begin), active, lanes);
    Refill(*stream_, active, lanes);
    return occupied;
  }

  void ClearGroup(size_t group) const {
    const size_t first = group * kR32Lanes;
    int8_t* const bytes = kIsWide ? image_->context : image_->narrow;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bytes + first), _mm256_setzero_si256());
    if constexpr (kIsWide) _mm512_storeu_si512(image_->wide + first, _mm512_setzero_si512());
    image_->counts[group] = 0;
  }

  /// Appends first + i for each bit i; up to 32 values are written.
  static uint32_t* List(__mmask32 bits, uint32_t first, uint32_t* out) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i low = _mm512_add_epi32(lane, _mm512_set1_epi32(static_cast<int>(first)));
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(16));
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), low));
    out += _mm_popcnt_u32(bits & 0xffff);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits >> 16), high));
    return out + _mm_popcnt_u32(bits >> 16);
  }

  const R32Model* model_;
  const R32SearchTables* tables_;
  R32Stream* stream_;
  const R32Image* image_;
  ActivityWeights weights_;
  ActivityPlanes planes_;
  size_t dc_distance_;
};

void Activities(const R32Model& model, const int8_t* const* planes, uint8_t shift, size_t count,
                uint8_t* out) {
  ActivitiesOf(model, planes, shift, count, out);
}

}  // namespace

const R32Kernels kR32Avx512Kernels = {TableBytes, Prepare, DecodeColumn<Coder>, Activities,
                                      r32_avx512::Encode};

}  // namespace freqstore

// r32 with AVX2, columns that are narrow. Compiled with -mavx2 and the like: called only where the CPU has
// them (r32_kernels.cc).
//
// The 32 states are their high and low halves, two vectors of 16 bits each. A token is found by a binary
// search; the thresholds of a node for all 8 contexts are one 128-bit vector, from which a shuffle takes each
// lane's.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

#include "storage/codec/r32_activity_avx2.h"
#include "storage/codec/r32_implementations.h"
#include "storage/codec/r32_strand_loop.h"
#include "storage/codec/r32_tables.h"

namespace freqstore {
namespace {

constexpr size_t kVectors = 2;
constexpr size_t kVectorLanes = 16;

/// For each mask of 8 lanes, the bytes of the next words that each lane takes.
struct WordTable {
  alignas(16) uint8_t bytes[256][16];
};
constexpr WordTable kWords = [] {
  WordTable words{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned next = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      words.bytes[mask][2 * lane] = static_cast<uint8_t>(2 * next);
      words.bytes[mask][2 * lane + 1] = static_cast<uint8_t>(2 * next + 1);
      next += (mask >> lane) & 1u;
    }
  }
  return words;
}();

__m128i Load128(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
__m256i Load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
__m256i LoadTwice(const void* from) {
  return _mm256_broadcastsi128_si256(Load128(from));
}

struct Lanes {
  __m256i high[kVectors];
  __m256i low[kVectors];
  size_t next;  ///< word
};

/// The element of `values` at each lane's index, of all or, if no index is above 15, the first 16.
template <bool kAll>
inline __m256i LookUp(const R32BytesByToken& values, __m256i index) {
  const __m256i low_index = _mm256_or_si256(index, _mm256_set1_epi16(static_cast<int16_t>(0x8000)));
  const __m256i high_index = _mm256_or_si256(_mm256_slli_epi16(index, 8), _mm256_set1_epi16(0x0080));
  const auto look_up = [&](size_t first) {
    return _mm256_or_si256(_mm256_shuffle_epi8(LoadTwice(values.low + first), low_index),
                           _mm256_shuffle_epi8(LoadTwice(values.high + first), high_index));
  };
  if constexpr (!kAll) return look_up(0);
  const __m256i is_upper = _mm256_cmpgt_epi16(index, _mm256_set1_epi16(15));
  return _mm256_blendv_epi8(look_up(0), look_up(16), is_upper);
}

/// A bit a lane of a pair of masks.
inline uint32_t BitsOf(__m256i first, __m256i second) {
  const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(first, second), _MM_SHUFFLE(3, 1, 2, 0));
  return static_cast<uint32_t>(_mm256_movemask_epi8(bytes));
}

/// All bits of the lanes of vector `v` that are among the first `count`.
inline __m256i ActiveLanes(size_t count, size_t v) {
  const __m256i lane =
      _mm256_add_epi16(_mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                       _mm256_set1_epi16(static_cast<int16_t>(v * kVectorLanes)));
  return _mm256_cmpgt_epi16(_mm256_set1_epi16(static_cast<int16_t>(count)), lane);
}

/// Lanes of `active` (null: all) whose state is below 2^16 take a word, in ascending order.
inline void Refill(const R32Stream& stream, const __m256i* active, Lanes& lanes) {
  __m256i needy[kVectors];
  for (size_t v = 0; v < kVectors; ++v) {
    needy[v] = _mm256_cmpeq_epi16(lanes.high[v], _mm256_setzero_si256());
    if (active != nullptr) needy[v] = _mm256_and_si256(needy[v], active[v]);
  }
  const uint32_t bits = BitsOf(needy[0], needy[1]);
  const uint8_t* words = stream.words + 2 * lanes.next;
  uint16_t left[2 * kR32Lanes];
  if (lanes.next + kR32Lanes + 8 > stream.end) [[unlikely]] {
    std::memset(left, 0, sizeof(left));
    if (lanes.next < stream.end) std::memcpy(left, words, 2 * Least(stream.end - lanes.next, 2 * kR32Lanes));
    words = reinterpret_cast<const uint8_t*>(left);
  }
  const auto eight = [&](unsigned first) {
    const auto before = static_cast<size_t>(_mm_popcnt_u32(_bzhi_u32(bits, first)));
    return _mm_shuffle_epi8(Load128(words + 2 * before), Load128(kWords.bytes[bits >> first & 0xff]));
  };
  for (size_t v = 0; v < kVectors; ++v) {
    const auto first = static_cast<unsigned>(v * kVectorLanes);
    const __m256i taken = _mm256_set_m128i(eight(first + 8), eight(first));
    lanes.high[v] = _mm256_blendv_epi8(lanes.high[v], lanes.low[v], needy[v]);
    lanes.low[v] = _mm256_blendv_epi8(lanes.low[v], taken, needy[v]);
  }
  lanes.next += static_cast<size_t>(_mm_popcnt_u32(bits));
}

/// The state's halves after a token was taken off: see r32_avx512.cc.
inline void Advance(__m256i frequency, __m256i offset, __m256i& high, __m256i& low) {
  const __m256i rest =
      _mm256_add_epi16(_mm256_mullo_epi16(frequency, _mm256_srli_epi16(low, kR32ProbabilityBits)), offset);
  const __m256i scaled = _mm256_slli_epi16(frequency, 16 - kR32ProbabilityBits);
  low = _mm256_add_epi16(_mm256_mullo_epi16(scaled, high), rest);
  const __m256i no_carry = _mm256_cmpeq_epi16(_mm256_max_epu16(low, rest), low);
  const __m256i carry = _mm256_andnot_si256(no_carry, _mm256_set1_epi16(1));
  high = _mm256_add_epi16(_mm256_mulhi_epu16(scaled, high), carry);
}

struct Found {
  __m256i token;
  __m256i begin;
  __m256i end;
};

/// The threshold of one of kNodes nodes from `node` on, of each lane's context: which node, `is_left` tells,
/// a decision a level. `index`: which bytes of a node's thresholds are the context's.
template <size_t kNodes>
inline __m256i ThresholdAt(const R32NodeTables& tables, size_t node, __m256i index, const __m256i* is_left) {
  if constexpr (kNodes == 1) {
    return _mm256_shuffle_epi8(LoadTwice(tables.thresholds[node]), index);
  } else {
    const __m256i left = ThresholdAt<kNodes / 2>(tables, node, index, is_left + 1);
    const __m256i right = ThresholdAt<kNodes / 2>(tables, node + kNodes / 2, index, is_left + 1);
    return _mm256_blendv_epi8(right, left, *is_left);
  }
}

template <int kLevels>
inline Found FindToken(const R32NodeTables& tables, __m256i index, __m256i slot) {
  Found found{.token = _mm256_setzero_si256(),
              .begin = _mm256_setzero_si256(),
              .end = _mm256_set1_epi16(kR32ProbabilityScale)};
  __m256i is_left[kLevels];
  const auto descend = [&](size_t level, __m256i threshold) {
    is_left[level] = _mm256_cmpgt_epi16(threshold, slot);
    found.begin = _mm256_blendv_epi8(threshold, found.begin, is_left[level]);
    found.end = _mm256_blendv_epi8(found.end, threshold, is_left[level]);
    found.token = _mm256_add_epi16(_mm256_add_epi16(found.token, found.token),
                                   _mm256_add_epi16(is_left[level], _mm256_set1_epi16(1)));
  };
  descend(0, ThresholdAt<1>(tables, 0, index, is_left));
  descend(1, ThresholdAt<2>(tables, 1, index, is_left));
  descend(2, ThresholdAt<4>(tables, 3, index, is_left));
  if constexpr (kLevels > 3) descend(3, ThresholdAt<8>(tables, 7, index, is_left));
  if constexpr (kLevels > 4) descend(4, ThresholdAt<16>(tables, 15, index, is_left));
  return found;
}

/// What Strand wants (r32_strand_loop.h).
template <int kLevels, bool kIsWide, bool kDc>
class Coder {
 public:
  using State = Lanes;

  Coder(const R32Column& column, R32Stream& stream, const R32Image& image)
      : model_(column.model),
        tables_(reinterpret_cast<const R32NodeTables*>(column.tables)),
        stream_(&stream),
        image_(&image),
        weights_(MakeActivityWeights(*column.model, column.model->values.shift)),
        planes_(MakeActivityPlanes(*column.model, image.references.planes)),
        dc_distance_(kDc ? R32DcDistance(image.width_blocks) : 0) {}

  State Load() const {
    State lanes;
    for (size_t v = 0; v < kVectors; ++v) {
      lanes.high[v] = freqstore::Load(stream_->high + v * kVectorLanes);
      lanes.low[v] = freqstore::Load(stream_->low + v * kVectorLanes);
    }
    lanes.next = stream_->next;
    return lanes;
  }
  void Store(const State& lanes) const {
    for (size_t v = 0; v < kVectors; ++v) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(stream_->high + v * kVectorLanes), lanes.high[v]);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(stream_->low + v * kVectorLanes), lanes.low[v]);
    }
    stream_->next = lanes.next;
  }

  size_t ListGroups(State& lanes) const {
    const size_t groups = (image_->blocks + kR32Lanes - 1) / kR32Lanes;
    if (model_->marks_groups) return DecodeMarks(groups, lanes);
    for (size_t group = 0; group < groups; ++group) image_->occupied[group] = static_cast<uint32_t>(group);
    return groups;
  }

  template <bool kPartial>
  void Decode(size_t first, State& lanes) const {
    const size_t count = kPartial ? image_->blocks - first : kR32Lanes;
    __m256i active[kVectors];
    if constexpr (kPartial) {
      for (size_t v = 0; v < kVectors; ++v) active[v] = ActiveLanes(count, v);
    }
    const __m256i activities = kDc ? DcActivities(first) : ActivitiesAt(weights_, planes_, first);
    const __m256i contexts = ContextsOf(model_->values, activities);
    __m256i tokens[kVectors];
    for (size_t v = 0; v < kVectors; ++v) {
      const __m256i slot = _mm256_and_si256(lanes.low[v], _mm256_set1_epi16(kR32ProbabilityScale - 1));
      const Found found = FindToken<kLevels>(*tables_, IndexOf(contexts, v), slot);
      tokens[v] = found.token;
      if constexpr (kPartial) tokens[v] = _mm256_and_si256(tokens[v], active[v]);
      AdvanceActive<kPartial>(_mm256_sub_epi16(found.end, found.begin), _mm256_sub_epi16(slot, found.begin),
                              active[v], v, lanes);
    }
    Refill(*stream_, kPartial ? active : nullptr, lanes);
    __m256i values[kVectors];
    for (size_t v = 0; v < kVectors; ++v) values[v] = TakeValue(tokens[v], lanes.high[v], lanes.low[v]);
    Refill(*stream_, kPartial ? active : nullptr, lanes);

    StoreGroup(first, count, values[0], values[1]);
  }

 private:
  __m256i DcActivities(size_t first) const {
    alignas(32) uint8_t activities[kR32Lanes];
    if (first < dc_distance_ + 1) {
      for (size_t i = 0; i < kR32Lanes; ++i)
        activities[i] = R32DcActivity(image_->context, dc_distance_, first + i);
      return _mm256_load_si256(reinterpret_cast<const __m256i*>(activities));
    }
    const int8_t* const above = image_->context + (first - dc_distance_);
    const auto quarter_sums = [](const int8_t* from) {
      const auto load = [](const int8_t* bytes) {
        return _mm256_cvtepu8_epi16(_mm_abs_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))));
      };
      const __m256i sides = _mm256_add_epi16(load(from - 1), load(from + 1));
      return _mm256_srli_epi16(_mm256_add_epi16(sides, _mm256_slli_epi16(load(from), 1)), 2);
    };
    const __m256i bytes = _mm256_permute4x64_epi64(
        _mm256_packus_epi16(quarter_sums(above), quarter_sums(above + 16)), _MM_SHUFFLE(3, 1, 2, 0));
    return _mm256_min_epu8(bytes, _mm256_set1_epi8(kR32DcBorderActivity - 1));
  }

  void StoreGroup(size_t first, size_t count, __m256i low, __m256i high) const {
    const auto store = [](void* to, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(to), v); };
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), _MM_SHUFFLE(3, 1, 2, 0));
    if constexpr (kIsWide) {
      store(image_->wide + first, low);
      store(image_->wide + first + kVectorLanes, high);
      store(image_->context + first, bytes);
    } else {
      store(image_->narrow + first, bytes);
    }
    if constexpr (!kDc) {
      const auto zeros =
          static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())));
      image_->counts[first / kR32Lanes] =
          static_cast<uint8_t>(_mm_popcnt_u32(_bzhi_u32(~zeros, static_cast<unsigned>(count))));
    }
  }

  /// Takes the raw bits of a token off a state, and joins both. A lane without raw bits keeps its state.
  static __m256i TakeValue(__m256i token, __m256i& high, __m256i& low) {
    const __m256i raw = _mm256_and_si256(low, LookUp<(kLevels > 4)>(kR32Tokens.raw_mask, token));
    const __m256i none = _mm256_cmpeq_epi16(token, _mm256_setzero_si256());
    // A product with 2^(16 - n) has the quotient by 2^n in its upper half, and the rest in the lower.
    const __m256i factor = LookUp<(kLevels > 4)>(kR32Tokens.quotient_factor, token);
    const __m256i shifted_low =
        _mm256_or_si256(_mm256_mulhi_epu16(low, factor), _mm256_mullo_epi16(high, factor));
    low = _mm256_blendv_epi8(shifted_low, low, none);
    high = _mm256_blendv_epi8(_mm256_mulhi_epu16(high, factor), high, none);
    const __m256i magnitude =
        _mm256_add_epi16(LookUp<(kLevels > 4)>(kR32Tokens.base, token), _mm256_srli_epi16(raw, 1));
    const __m256i sign =
        _mm256_sub_epi16(_mm256_setzero_si256(), _mm256_and_si256(raw, _mm256_set1_epi16(1)));
    return _mm256_sub_epi16(_mm256_xor_si256(magnitude, sign), sign);
  }

  template <bool kPartial>
  static void AdvanceActive(__m256i frequency, __m256i offset, __m256i active, size_t v, State& lanes) {
    __m256i high = lanes.high[v];
    __m256i low = lanes.low[v];
    Advance(frequency, offset, high, low);
    lanes.high[v] = kPartial ? _mm256_blendv_epi8(lanes.high[v], high, active) : high;
    lanes.low[v] = kPartial ? _mm256_blendv_epi8(lanes.low[v], low, active) : low;
  }

  static __m256i ContextsOf(const R32Contexts& contexts, __m256i activities) {
    __m256i reached = _mm256_setzero_si256();
    for (size_t i = 0; i + 1 < contexts.count; ++i) {
      const __m256i threshold = _mm256_set1_epi8(static_cast<char>(contexts.thresholds[i]));
      reached =
          _mm256_sub_epi8(reached, _mm256_cmpeq_epi8(_mm256_max_epu8(activities, threshold), activities));
    }
    return reached;
  }

  /// For the lanes of vector `v`, the two bytes of their context among those of 8 contexts.
  static __m256i IndexOf(__m256i contexts, size_t v) {
    const __m128i half = v == 0 ? _mm256_castsi256_si128(contexts) : _mm256_extracti128_si256(contexts, 1);
    const __m256i doubled = _mm256_slli_epi16(_mm256_cvtepu8_epi16(half), 1);
    return _mm256_add_epi16(_mm256_or_si256(doubled, _mm256_slli_epi16(doubled, 8)),
                            _mm256_set1_epi16(0x0100));
  }

  size_t DecodeMarks(size_t groups, State& lanes) const {
    const ActivityWeights weights = MakeActivityWeights(*model_, model_->groups.shift);
    const int8_t* planes[kR32ReferencesMax];
    for (size_t r = 0; r < kR32ReferencesMax; ++r)
      planes[r] = reinterpret_cast<const int8_t*>(image_->references.counts[r]);
    const ActivityPlanes counts = MakeActivityPlanes(*model_, planes);
    size_t listed = 0;
    for (size_t first = 0; first < groups; first += kR32Lanes) {
      const size_t count = Least(groups - first, kR32Lanes);
      const __m256i contexts = ContextsOf(model_->groups, ActivitiesAt(weights, counts, first));
      const uint32_t marks = DecodeMarkStep(contexts, count, lanes);
      for (uint32_t bits = _bzhi_u32(~marks, static_cast<unsigned>(count)); bits != 0; bits = _blsr_u32(bits))
        ClearGroup(first + _tzcnt_u32(bits));
      for (uint32_t bits = marks; bits != 0; bits = _blsr_u32(bits))
        image_->occupied[listed++] = static_cast<uint32_t>(first) + _tzcnt_u32(bits);
    }
    return listed;
  }

  /// Which groups of a step are occupied, a bit each.
  uint32_t DecodeMarkStep(__m256i contexts, size_t count, State& lanes) const {
    const __m256i by_context = LoadTwice(model_->occupied);
    __m256i active[kVectors];
    __m256i occupied[kVectors];
    for (size_t v = 0; v < kVectors; ++v) {
      active[v] = ActiveLanes(count, v);
      const __m256i frequency = _mm256_shuffle_epi8(by_context, IndexOf(contexts, v));
      const __m256i empty = _mm256_sub_epi16(_mm256_set1_epi16(kR32ProbabilityScale), frequency);
      const __m256i slot = _mm256_and_si256(lanes.low[v], _mm256_set1_epi16(kR32ProbabilityScale - 1));
      const __m256i is_empty = _mm256_cmpgt_epi16(empty, slot);
      AdvanceActive<true>(_mm256_blendv_epi8(frequency, empty, is_empty),
                          _mm256_sub_epi16(slot, _mm256_andnot_si256(is_empty, empty)), active[v], v, lanes);
      occupied[v] = _mm256_andnot_si256(is_empty, active[v]);
    }
    Refill(*stream_, active, lanes);
    return BitsOf(occupied[0], occupied[1]);
  }

  void ClearGroup(size_t group) const {
    const size_t first = group * kR32Lanes;
    const auto clear = [](void* to) {
      _mm256_storeu_si256(static_cast<__m256i*>(to), _mm256_setzero_si256());
    };
    clear((kIsWide ? image_->context : image_->narrow) + first);
    if constexpr (kIsWide) clear(image_->wide + first);
    if constexpr (kIsWide) clear(image_->wide + first + kVectorLanes);
    image_->counts[group] = 0;
  }

  const R32Model* model_;
  const R32NodeTables* tables_;
  R32Stream* stream_;
  const R32Image* image_;
  ActivityWeights weights_;
  ActivityPlanes planes_;
  size_t dc_distance_;
};

size_t TableBytes(const R32Model&) {
  return sizeof(R32NodeTables);
}

void Prepare(const R32Model& model, uint8_t* tables) {
  PrepareR32Nodes(model, *reinterpret_cast<R32NodeTables*>(tables));
}

void Activities(const R32Model& model, const int8_t* const* planes, uint8_t shift, size_t count,
                uint8_t* out) {
  ActivitiesOf(model, planes, shift, count, out);
}

}  // namespace

const R32Kernels kR32Avx2Kernels = {TableBytes, Prepare, DecodeColumn<Coder>, Activities,
                                    r32_reference::Encode};

}  // namespace freqstore

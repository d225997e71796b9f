// r32 as FORMAT.md describes it, one value at a time.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "storage/codec/r32_implementations.h"
#include "storage/codec/r32_token.h"

namespace freqstore {
namespace {

constexpr uint32_t kStateMin = 1u << 16;
constexpr uint32_t kActivitySumMax = 32767;

// ---------------------------------------------------------------------------------------------- decoding

/// The lanes of a stream while a step is decoded.
class Lanes {
 public:
  explicit Lanes(R32Stream& stream) : stream_(stream) {}

  /// Takes a token off lane `i`.
  uint32_t TakeToken(size_t i, const uint16_t* table) {
    const uint32_t state = Get(i);
    const uint32_t slot = state % kR32ProbabilityScale;
    uint32_t token = 0;
    uint32_t begin = 0;
    while (slot >= begin + table[token]) begin += table[token++];
    Set(i, table[token] * (state / kR32ProbabilityScale) + slot - begin);
    return token;
  }

  uint32_t TakeRaw(size_t i, uint32_t bits) {
    const uint32_t state = Get(i);
    Set(i, state >> bits);
    return state & ((1u << bits) - 1);
  }

  /// Lanes whose state is too small take a word, in ascending order.
  void Refill(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (Get(i) < kStateMin) Set(i, Get(i) << 16 | NextWord());
    }
  }

 private:
  uint32_t Get(size_t i) const { return uint32_t{stream_.high[i]} << 16 | stream_.low[i]; }
  void Set(size_t i, uint32_t state) {
    stream_.high[i] = static_cast<uint16_t>(state >> 16);
    stream_.low[i] = static_cast<uint16_t>(state);
  }
  uint32_t NextWord() {
    const size_t at = stream_.next++;
    if (at >= stream_.end) return 0;
    return stream_.words[2 * at] | uint32_t{stream_.words[2 * at + 1]} << 8;
  }

  R32Stream& stream_;
};

uint32_t Activity(const R32Model& model, const int8_t* const* planes, uint8_t shift, size_t at) {
  uint32_t sum = 0;
  for (size_t r = 0; r < model.reference_count; ++r) {
    sum += static_cast<uint32_t>(std::abs(int{planes[r][at]})) * model.references[r].weight;
  }
  return std::min<uint32_t>(std::min(sum, kActivitySumMax) >> shift, kR32ActivityMax);
}

uint32_t DcActivity(const R32Image& image, size_t block) {
  return R32DcActivity(image.context, R32DcDistance(image.width_blocks), block);
}

void StoreGroup(const R32Image& image, size_t group, size_t lanes, const int16_t* values) {
  uint8_t count = 0;
  for (size_t i = 0; i < lanes; ++i) {
    const size_t block = group * kR32Lanes + i;
    count = static_cast<uint8_t>(count + (values[i] != 0 ? 1 : 0));
    if (image.narrow != nullptr) {
      image.narrow[block] = static_cast<int8_t>(values[i]);
    } else {
      image.wide[block] = values[i];
      image.context[block] = static_cast<int8_t>(std::clamp<int16_t>(values[i], INT8_MIN, INT8_MAX));
    }
  }
  image.counts[group] = count;
}

/// Which groups have a value other than 0; the lanes of a step are 32 groups.
void DecodeMarks(const R32Model& model, const R32Image& image, size_t groups, Lanes& lanes, uint8_t* marks) {
  const int8_t* counts[kR32ReferencesMax];
  for (size_t r = 0; r < model.reference_count; ++r)
    counts[r] = reinterpret_cast<const int8_t*>(image.references.counts[r]);
  for (size_t first = 0; first < groups; first += kR32Lanes) {
    const size_t count = std::min(kR32Lanes, groups - first);
    for (size_t i = 0; i < count; ++i) {
      const uint8_t context = model.groups.Of(Activity(model, counts, model.groups.shift, first + i));
      const uint16_t occupied = model.occupied[context];
      const uint16_t table[] = {static_cast<uint16_t>(kR32ProbabilityScale - occupied), occupied};
      marks[i] = static_cast<uint8_t>(lanes.TakeToken(i, table));
    }
    lanes.Refill(count);
    for (size_t i = 0; i < count; ++i) image.occupied[first + i] = marks[i];
  }
}

void DecodeOne(const R32Column& column, R32Stream& stream, const R32Image& image) {
  const R32Model& model = *column.model;
  const size_t groups = (image.blocks + kR32Lanes - 1) / kR32Lanes;
  Lanes lanes(stream);
  uint8_t marks[kR32Lanes];
  if (model.marks_groups) DecodeMarks(model, image, groups, lanes, marks);
  for (size_t group = 0; group < groups; ++group) {
    const size_t first = group * kR32Lanes;
    const size_t count = std::min(kR32Lanes, image.blocks - first);
    int16_t values[kR32Lanes] = {};
    if (!model.marks_groups || image.occupied[group] != 0) {
      uint32_t tokens[kR32Lanes];
      for (size_t i = 0; i < count; ++i) {
        const uint32_t activity =
            column.is_dc ? DcActivity(image, first + i)
                         : Activity(model, image.references.planes, model.values.shift, first + i);
        tokens[i] = lanes.TakeToken(i, model.tables[model.values.Of(activity)]);
      }
      lanes.Refill(count);
      for (size_t i = 0; i < count; ++i)
        values[i] = R32JoinValue(tokens[i], lanes.TakeRaw(i, R32RawBits(tokens[i])));
      lanes.Refill(count);
    }
    StoreGroup(image, group, count, values);
  }
}

void Decode(const R32Column& column, const R32Strand* strands, size_t count) {
  for (size_t s = 0; s < count; ++s) {
    for (size_t i = 0; i < strands[s].count; ++i) DecodeOne(column, *strands[s].stream, strands[s].images[i]);
  }
}

size_t TableBytes(const R32Model&) {
  return 0;
}

void Prepare(const R32Model&, uint8_t*) {}

void Activities(const R32Model& model, const int8_t* const* planes, uint8_t shift, size_t count,
                uint8_t* out) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(Activity(model, planes, shift, i));
}

// ---------------------------------------------------------------------------------------------- encoding

/// The inverse of Lanes, backwards: what a decoder does last comes first.
class Pusher {
 public:
  explicit Pusher(R32Sink& sink) : sink_(sink) {}

  void PushRaw(size_t i, uint32_t bits, uint32_t raw) {
    uint32_t& state = sink_.states[i];
    if (uint64_t{state} << bits >> 32 != 0) Spill(state);
    state = state << bits | raw;
  }

  /// `entry`: see R32EncodeTable.
  void PushToken(size_t i, uint32_t entry) {
    const uint32_t frequency = entry & 0xffff;
    const uint32_t begin = entry >> 16;
    uint32_t& state = sink_.states[i];
    if (state >= uint64_t{frequency} << (32 - kR32ProbabilityBits)) Spill(state);
    state = state / frequency * kR32ProbabilityScale + begin + state % frequency;
  }

 private:
  void Spill(uint32_t& state) {
    *--sink_.words = static_cast<uint16_t>(state);
    state >>= 16;
  }

  R32Sink& sink_;
};

void EncodeMarks(const R32Model& model, const R32Image& image, size_t groups, const uint8_t* activities,
                 Pusher& pusher) {
  for (size_t end = groups; end > 0;) {
    const size_t first = (end - 1) / kR32Lanes * kR32Lanes;
    for (size_t group = end; group-- > first;) {
      const uint32_t occupied = model.occupied[model.groups.Of(activities[group])];
      const uint32_t empty = kR32ProbabilityScale - occupied;
      pusher.PushToken(group - first, image.counts[group] != 0 ? occupied | empty << 16 : empty);
    }
    end = first;
  }
}

}  // namespace

namespace r32_reference {

void Encode(const R32EncodeTable& table, const R32Image& image, const uint8_t* activities,
            const uint8_t* group_activities, R32Sink& sink) {
  const R32Model& model = table.model;
  const size_t groups = (image.blocks + kR32Lanes - 1) / kR32Lanes;
  Pusher pusher(sink);
  for (size_t group = groups; group-- > 0;) {
    if (model.marks_groups && image.counts[group] == 0) continue;
    const size_t first = group * kR32Lanes;
    const size_t count = std::min(kR32Lanes, image.blocks - first);
    R32Split split[kR32Lanes];
    for (size_t i = 0; i < count; ++i) {
      split[i] = R32SplitValue(image.narrow != nullptr ? image.narrow[first + i] : image.wide[first + i]);
    }
    for (size_t i = count; i-- > 0;) pusher.PushRaw(i, split[i].raw_bits, split[i].raw);
    for (size_t i = count; i-- > 0;)
      pusher.PushToken(i, table.entries[model.values.Of(activities[first + i])][split[i].token]);
  }
  if (model.marks_groups) EncodeMarks(model, image, groups, group_activities, pusher);
}

}  // namespace r32_reference

const R32Kernels kR32ReferenceKernels = {TableBytes, Prepare, Decode, Activities, r32_reference::Encode};

}  // namespace freqstore

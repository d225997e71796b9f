// Two substreams side by side, for the vector implementations of r32. Private to storage/codec, included by
// r32_avx2.cc and r32_avx512.cc only; internal to each, see bp32_group_loops.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/codec/r32_kernels.h"
#include "storage/codec/r32_tables.h"

namespace freqstore {
namespace {

inline size_t Least(size_t a, size_t b) {
  return a < b ? a : b;
}

/// The next images of one substream, group by group. A `Coder` is made of (column, stream, image) and has
///   State                          what changes from step to step, to be kept in registers
///   Load(), Store(state)           from and to the stream
///   ListGroups(state)              decodes which groups are occupied, clears the others, lists those that
///   are
///                                  in image.occupied, and returns their number
///   Decode<kPartial>(block, state) the group that starts at `block`
template <typename Coder>
class Strand {
 public:
  Strand(const R32Column& column, const R32Strand& strand)
      : column_(column),
        strand_(strand),
        coder_(column, *strand.stream, strand.images[0]),
        state_(coder_.Load()) {
    Begin();
  }

  /// Groups of 32 blocks that are left in the current image.
  size_t full_groups() const { return full_groups_; }
  bool done() const { return image_ == strand_.count; }

  const Coder& coder() const { return coder_; }
  const uint32_t* groups() const { return groups_; }
  typename Coder::State& state() { return state_; }

  void Skip(size_t groups) {
    groups_ += groups;
    full_groups_ -= groups;
  }

  /// To be called when there is no full group: the partial one, and on to an image that has a full one.
  void Advance() {
    do {
      if (has_partial_) coder_.template Decode<true>(*groups_ * kR32Lanes, state_);
      if (++image_ == strand_.count) {
        coder_.Store(state_);
        return;
      }
      coder_ = Coder(column_, *strand_.stream, strand_.images[image_]);
      Begin();
    } while (full_groups_ == 0);
  }

 private:
  void Begin() {
    const R32Image& image = strand_.images[image_];
    const size_t listed = coder_.ListGroups(state_);
    groups_ = image.occupied;
    has_partial_ =
        image.blocks % kR32Lanes != 0 && listed > 0 && groups_[listed - 1] == image.blocks / kR32Lanes;
    full_groups_ = listed - (has_partial_ ? 1 : 0);
  }

  const R32Column& column_;
  const R32Strand& strand_;
  Coder coder_;
  typename Coder::State state_;
  size_t image_ = 0;
  const uint32_t* groups_ = nullptr;
  size_t full_groups_ = 0;
  bool has_partial_ = false;
};

template <typename Coder>
void FinishStrand(Strand<Coder>& strand) {
  while (!strand.done()) {
    typename Coder::State state = strand.state();
    const size_t count = strand.full_groups();
    for (size_t i = 0; i < count; ++i)
      strand.coder().template Decode<false>(strand.groups()[i] * kR32Lanes, state);
    strand.state() = state;
    strand.Skip(count);
    strand.Advance();
  }
}

template <typename Coder>
void DecodeStrands(const R32Column& column, const R32Strand* strands, size_t count) {
  Strand<Coder> first(column, strands[0]);
  if (count < 2) return FinishStrand(first);
  Strand<Coder> second(column, strands[1]);
  while (!first.done() && !second.done()) {
    typename Coder::State first_state = first.state();
    typename Coder::State second_state = second.state();
    const size_t both = Least(first.full_groups(), second.full_groups());
    const uint32_t* const first_groups = first.groups();
    const uint32_t* const second_groups = second.groups();
    for (size_t i = 0; i < both; ++i) {
      first.coder().template Decode<false>(first_groups[i] * kR32Lanes, first_state);
      second.coder().template Decode<false>(second_groups[i] * kR32Lanes, second_state);
    }
    first.state() = first_state;
    second.state() = second_state;
    first.Skip(both);
    second.Skip(both);
    if (first.full_groups() == 0) first.Advance();
    if (second.full_groups() == 0) second.Advance();
  }
  FinishStrand(first);
  FinishStrand(second);
}

/// Decodes with the Coder<levels, is wide, is DC> that suits the column.
template <template <int, bool, bool> typename Coder>
void DecodeColumn(const R32Column& column, const R32Strand* strands, size_t count) {
  const int levels = R32SearchLevels(*column.model);
  if (levels == 3) return DecodeStrands<Coder<3, false, false>>(column, strands, count);
  if (column.model->narrow()) return DecodeStrands<Coder<4, false, false>>(column, strands, count);
  if (column.is_dc) {
    return levels == 4 ? DecodeStrands<Coder<4, true, true>>(column, strands, count)
                       : DecodeStrands<Coder<5, true, true>>(column, strands, count);
  }
  if (levels == 4) return DecodeStrands<Coder<4, true, false>>(column, strands, count);
  DecodeStrands<Coder<5, true, false>>(column, strands, count);
}

}  // namespace
}  // namespace freqstore

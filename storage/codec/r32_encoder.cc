#include "storage/codec/r32_encoder.h"

#include <algorithm>
#include <bit>

#include "storage/codec/r32_trainer.h"

namespace freqstore {
namespace {

static_assert(std::endian::native == std::endian::little, "states and words are copied as they are");

constexpr uint32_t kFirstState = 1u << 16;

bool AllZero(std::span<const R32Image> images) {
  return std::all_of(images.begin(), images.end(), [](const R32Image& image) {
    const size_t groups = (image.blocks + kR32Lanes - 1) / kR32Lanes;
    return std::all_of(image.counts, image.counts + groups, [](uint8_t count) { return count == 0; });
  });
}

}  // namespace

R32Encoder::R32Encoder(ColumnId column, const R32Model& model, SimdLevel level)
    : is_dc_(column.frequency == 0), model_(model), kernels_(GetR32Kernels(level)), table_(model) {}

void R32Encoder::Append(std::span<const R32Image> images, R32EncodeScratch& scratch, std::string& out) const {
  if (AllZero(images)) return;
  size_t words_max = 0;
  size_t blocks_max = 0;
  for (const R32Image& image : images) {
    words_max += R32WordsMax(image.blocks);
    blocks_max = std::max(blocks_max, image.blocks);
  }
  scratch.words.ReserveUnset(words_max);
  scratch.activities.ReserveUnset(blocks_max + 2 * kR32Lanes);
  scratch.group_activities.ReserveUnset(blocks_max / kR32Lanes + 2 * kR32Lanes);

  R32Sink sink;
  std::fill(std::begin(sink.states), std::end(sink.states), kFirstState);
  uint16_t* const end = scratch.words.data() + words_max;
  sink.words = end;
  for (size_t i = images.size(); i-- > 0;) {
    if (images[i].blocks == 0) continue;
    R32ValueActivities(kernels_, model_, is_dc_, images[i], scratch.activities.data());
    if (model_.marks_groups) R32GroupActivities(kernels_, model_, images[i], scratch.group_activities.data());
    kernels_.encode(table_, images[i], scratch.activities.data(), scratch.group_activities.data(), sink);
  }
  out.append(reinterpret_cast<const char*>(sink.states), sizeof(sink.states));
  out.append(reinterpret_cast<const char*>(sink.words),
             static_cast<size_t>(end - sink.words) * sizeof(uint16_t));
}

}  // namespace freqstore

#include "storage/codec/r32_trainer.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "storage/codec/r32_references.h"
#include "storage/codec/r32_token.h"
#include "storage/codec/r32_weights.h"

namespace freqstore {
namespace {

/// Groups are marked if more than one of so many is empty: then that saves time, and space.
constexpr size_t kMarkFromEmptyShare = 32;
/// This share of the sample, in thousandths, is not to reach the greatest activity.
constexpr size_t kActivityPercentile = 985;

size_t GroupsOf(size_t blocks) {
  return (blocks + kR32Lanes - 1) / kR32Lanes;
}

int ValueAt(const R32Image& image, size_t block) {
  return image.narrow != nullptr ? image.narrow[block] : image.wide[block];
}

/// Tokens of all values of a byte, by the byte.
constexpr auto kTokenOfByte = [] {
  std::array<uint8_t, 256> tokens{};
  for (int value = INT8_MIN; value <= INT8_MAX; ++value) {
    tokens[static_cast<uint8_t>(value)] =
        static_cast<uint8_t>(R32TokenOf(static_cast<uint32_t>(value < 0 ? -value : value)));
  }
  return tokens;
}();

uint8_t ShiftFor(uint32_t sum) {
  uint8_t shift = 0;
  while (sum >> shift >= kR32ActivityMax) ++shift;
  return shift;
}

}  // namespace

R32Trainer::R32Trainer(ColumnId column, SimdLevel level)
    : is_dc_(column.frequency == 0), kernels_(GetR32Kernels(level)) {
  const std::vector<R32Reference> references = DefaultR32References(column);
  model_.reference_count = static_cast<uint8_t>(references.size());
  std::copy(references.begin(), references.end(), model_.references);
}

void R32Trainer::Sample(const R32Image& image, size_t step) {
  for (size_t group = 0; group < GroupsOf(image.blocks); ++group) {
    ++groups_sampled_;
    if (image.counts[group] == 0) ++groups_empty_;
  }
  if (is_dc_) return;
  for (size_t block = step / 2; block < image.blocks; block += step) {
    magnitudes_.push_back(static_cast<uint8_t>(std::min(std::abs(ValueAt(image, block)), 127)));
    for (size_t r = 0; r < model_.reference_count; ++r) {
      reference_magnitudes_[r].push_back(
          static_cast<uint8_t>(std::abs(int{image.references.planes[r][block]})));
    }
  }
}

void R32Trainer::ChooseWeights() {
  std::vector<std::span<const uint8_t>> references;
  for (size_t r = 0; r < model_.reference_count; ++r) references.emplace_back(reference_magnitudes_[r]);
  if (FitR32Weights(magnitudes_, references, {model_.references, model_.reference_count}))
    model_.origin = R32WeightOrigin::kSegment;
  ChooseShifts();
  model_.marks_groups = !is_dc_ && groups_empty_ * kMarkFromEmptyShare > groups_sampled_;
}

void R32Trainer::ChooseShifts() {
  uint32_t weights = 0;
  for (const R32Reference& reference : model_.used_references()) weights += reference.weight;
  model_.groups.shift = ShiftFor(weights * kR32Lanes);
  if (magnitudes_.empty()) return;
  std::vector<uint32_t> sums(magnitudes_.size());
  for (size_t r = 0; r < model_.reference_count; ++r) {
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] += uint32_t{reference_magnitudes_[r][i]} * model_.references[r].weight;
  }
  const auto high = sums.begin() + static_cast<ptrdiff_t>(sums.size() * kActivityPercentile / 1000);
  std::nth_element(sums.begin(), high, sums.end());
  model_.values.shift = ShiftFor(*high);
}

void R32Trainer::Count(const R32Image& image) {
  if (image.blocks == 0) return;
  activities_.resize(image.blocks + 2 * kR32Lanes);
  if (model_.marks_groups) CountGroups(image);
  R32ValueActivities(kernels_, model_, is_dc_, image, activities_.data());
  CountValues(image, activities_.data());
}

void R32Trainer::CountGroups(const R32Image& image) {
  R32GroupActivities(kernels_, model_, image, activities_.data());
  for (size_t group = 0; group < GroupsOf(image.blocks); ++group)
    ++groups_[activities_[group]][image.counts[group] != 0 ? 1 : 0];
}

void R32Trainer::CountValues(const R32Image& image, const uint8_t* activities) {
  for (size_t group = 0; group < GroupsOf(image.blocks); ++group) {
    if (model_.marks_groups && image.counts[group] == 0) continue;
    const size_t first = group * kR32Lanes;
    const size_t last = std::min(image.blocks, first + kR32Lanes);
    if (image.narrow != nullptr) {
      for (size_t i = first; i < last; ++i)
        ++values_[activities[i]][kTokenOfByte[static_cast<uint8_t>(image.narrow[i])]];
    } else {
      for (size_t i = first; i < last; ++i) {
        const uint32_t token = R32TokenOf(static_cast<uint32_t>(std::abs(int{image.wide[i]})));
        if (token < kR32TokensMax) {
          ++values_[activities[i]][token];
        } else {
          fits_ = false;
        }
      }
    }
  }
}

const R32Model& R32Trainer::Finish() {
  uint8_t tokens = 2;
  for (const R32Counts& counts : values_) {
    for (uint8_t token = 0; token < kR32TokensMax; ++token) {
      if (counts[token] > 0) tokens = std::max<uint8_t>(tokens, token + 1);
    }
  }
  model_.tokens = is_dc_ ? std::max<uint8_t>(tokens, kR32NarrowTokensMax + 1) : tokens;

  const R32ContextChoice values = ChooseR32Contexts(values_, kR32ContextsMax, is_dc_);
  const uint8_t shift = model_.values.shift;
  model_.values = values.contexts;
  model_.values.shift = shift;
  for (size_t context = 0; context < values.counts.size(); ++context)
    NormalizeR32Counts(values.counts[context], model_.tables[context]);
  if (!model_.marks_groups) return model_;

  const R32ContextChoice groups = ChooseR32Contexts(groups_, kR32ContextsMax, false);
  const uint8_t groups_shift = model_.groups.shift;
  model_.groups = groups.contexts;
  model_.groups.shift = groups_shift;
  for (size_t context = 0; context < groups.counts.size(); ++context) {
    uint16_t table[kR32TokensMax];
    NormalizeR32Counts(groups.counts[context], table);
    model_.occupied[context] = table[1];
  }
  return model_;
}

void R32ValueActivities(const R32Kernels& kernels, const R32Model& model, bool is_dc, const R32Image& image,
                        uint8_t* out) {
  if (!is_dc) {
    kernels.activities(model, image.references.planes, model.values.shift, image.blocks, out);
    return;
  }
  const size_t distance = R32DcDistance(image.width_blocks);
  for (size_t block = 0; block < image.blocks; ++block)
    out[block] = R32DcActivity(image.context, distance, block);
}

void R32GroupActivities(const R32Kernels& kernels, const R32Model& model, const R32Image& image,
                        uint8_t* out) {
  const int8_t* counts[kR32ReferencesMax];
  for (size_t r = 0; r < kR32ReferencesMax; ++r)
    counts[r] = reinterpret_cast<const int8_t*>(image.references.counts[r]);
  kernels.activities(model, counts, model.groups.shift, GroupsOf(image.blocks), out);
}

}  // namespace freqstore

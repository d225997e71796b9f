// Random models of r32 that a column can have. `Random` is called for numbers: std::mt19937, or whatever a
// fuzz target has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "storage/codec/r32_model.h"

namespace freqstore::testutil {

template <typename Random>
R32Contexts RandomR32Contexts(Random& random) {
  R32Contexts contexts{.shift = static_cast<uint8_t>(random() % 16),
                       .count = static_cast<uint8_t>(1 + random() % kR32ContextsMax),
                       .thresholds = {}};
  uint32_t below = 0;
  for (uint32_t left = contexts.count - 1u; left > 0; --left) {
    below += 1 + static_cast<uint32_t>(random()) % ((kR32ActivityMax - below) / left);
    contexts.thresholds[contexts.count - 1u - left] = static_cast<uint8_t>(below);
  }
  return contexts;
}

/// `column` is not DC.
template <typename Random>
R32Reference RandomR32Reference(ColumnId column, Random& random) {
  std::vector<R32Reference> choices;
  for (uint8_t z = 1; z < column.frequency; ++z) choices.push_back({R32Reference::Kind::kFrequency, z, 0});
  if (HorizontalFrequency(column.frequency) + VerticalFrequency(column.frequency) <= 3) {
    choices.push_back({R32Reference::Kind::kHorizontal, 0, 0});
    choices.push_back({R32Reference::Kind::kVertical, 0, 0});
  }
  if (column.component > 0) choices.push_back({R32Reference::Kind::kComponent, 0, 0});
  R32Reference reference = choices[random() % choices.size()];
  reference.weight = static_cast<uint8_t>(random() % 128);
  return reference;
}

/// Each of `tokens` has a frequency of at least 1. Of DC, `tokens` is above kR32NarrowTokensMax.
template <typename Random>
R32Model RandomR32Model(ColumnId column, size_t tokens, Random& random) {
  const bool is_dc = column.frequency == 0;
  R32Model model;
  model.origin = random() % 2 == 0 ? R32WeightOrigin::kDefault : R32WeightOrigin::kSegment;
  model.tokens = static_cast<uint8_t>(tokens);
  model.reference_count = static_cast<uint8_t>(is_dc ? 0 : random() % (kR32ReferencesMax + 1));
  for (size_t r = 0; r < model.reference_count; ++r) model.references[r] = RandomR32Reference(column, random);
  model.values = RandomR32Contexts(random);
  for (size_t context = 0; context < model.values.count; ++context) {
    uint16_t* const table = model.tables[context];
    uint32_t left = kR32ProbabilityScale - static_cast<uint32_t>(tokens);
    for (size_t token = 0; token + 1 < tokens; ++token) {
      const uint32_t more = static_cast<uint32_t>(random()) % (left / 2 + 1);
      table[token] = static_cast<uint16_t>(1 + more);
      left -= more;
    }
    table[tokens - 1] = static_cast<uint16_t>(1 + left);
  }
  model.marks_groups = !is_dc && random() % 2 == 0;
  if (!model.marks_groups) return model;
  model.groups = RandomR32Contexts(random);
  for (size_t context = 0; context < model.groups.count; ++context)
    model.occupied[context] = static_cast<uint16_t>(1 + random() % (kR32ProbabilityScale - 1));
  return model;
}

/// Takes the frequency from some tokens, for a decoder: an encoder cannot code those any more.
template <typename Random>
void ThinR32Tables(R32Model& model, Random& random) {
  for (size_t context = 0; context < model.values.count; ++context) {
    uint16_t* const table = model.tables[context];
    for (size_t token = 0; token + 1 < model.tokens; ++token) {
      const uint32_t both = table[token] + uint32_t{table[token + 1]};
      if (random() % 3 != 0 || both >= kR32ProbabilityScale) continue;
      table[token] = 0;
      table[token + 1] = static_cast<uint16_t>(both);
      if (random() % 2 == 0) std::swap(table[token], table[token + 1]);
    }
  }
}

}  // namespace freqstore::testutil

// From counts of tokens at each activity to contexts and their tables.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "storage/codec/r32_model.h"

namespace freqstore {

/// How often each token was seen.
using R32Counts = std::array<uint32_t, kR32TokensMax>;
/// The same, an activity.
using R32Histogram = std::array<R32Counts, kR32ActivityMax + 1>;

struct R32ContextChoice {
  R32Contexts contexts;           ///< without a shift
  std::vector<R32Counts> counts;  ///< a context
};

/// Merges neighbouring activities until at most `contexts_max` are left and no merge makes the whole smaller.
/// With `border`, the last activity stays a context of its own if it was seen.
R32ContextChoice ChooseR32Contexts(const R32Histogram& histogram, size_t contexts_max, bool border);

/// Frequencies that add up to kR32ProbabilityScale, each below it, and at least 1 for tokens that were seen.
void NormalizeR32Counts(const R32Counts& counts, uint16_t* table);

}  // namespace freqstore

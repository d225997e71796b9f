// What the vector implementations of r32 look tokens up in. Private to storage/codec; made in a file that is
// compiled for the build's baseline.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/codec/r32_model.h"

namespace freqstore {

/// A binary search for the token whose range holds a slot, one level of the tree after the other. Each
/// level's thresholds for all contexts are in one array. The node of a level is the context, and above its
/// three bits the way to it: bit l is set if level l went right.
struct R32SearchTables {
  static constexpr int kLevelsMax = 5;  // up to 32 tokens
  static constexpr size_t kContextBits = 3;

  alignas(64) uint16_t level0[32];
  alignas(64) uint16_t level1[32];
  alignas(64) uint16_t level2[32];
  alignas(64) uint16_t level3[64];
  alignas(64) uint16_t level4[128];
  alignas(64) uint8_t value_contexts[128];  ///< by activity
  alignas(64) uint8_t group_contexts[128];
  alignas(64) uint16_t empty[32];  ///< frequency of groups that are left out, by context
};

/// How many levels a search has: 3 to 5. Up to 8 tokens, which 3 levels tell apart, columns are narrow.
int R32SearchLevels(const R32Model& model);

void PrepareR32Search(const R32Model& model, R32SearchTables& tables);

/// By the way to a token (R32SearchTables), for a number of levels.
struct R32TokensByWay {
  alignas(64) uint16_t base[R32SearchTables::kLevelsMax + 1][32];
  alignas(64) uint16_t raw_bits[R32SearchTables::kLevelsMax + 1][32];
};
extern const R32TokensByWay kR32TokensByWay;

/// The same search with the thresholds of a node for all contexts next to each other. Node 2^l - 1 + p is the
/// one of level l to which p leads, a bit a level, the first one highest, 1 for right.
struct R32NodeTables {
  alignas(64) uint16_t thresholds[31][kR32ContextsMax];
};
void PrepareR32Nodes(const R32Model& model, R32NodeTables& tables);

/// Numbers of 16 bits by token, their low and their high bytes.
struct R32BytesByToken {
  alignas(16) uint8_t low[32];
  alignas(16) uint8_t high[32];
};
struct R32Tokens {
  R32BytesByToken base;
  R32BytesByToken raw_mask;         ///< 2^n - 1 with n raw bits
  R32BytesByToken quotient_factor;  ///< 2^(16 - n); 0 if n is 0
};
extern const R32Tokens kR32Tokens;

}  // namespace freqstore

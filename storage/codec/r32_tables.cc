#include "storage/codec/r32_tables.h"

#include "storage/codec/r32_token.h"

namespace freqstore {
namespace {

constexpr uint32_t Reversed(uint32_t bits, int count) {
  uint32_t reversed = 0;
  for (int i = 0; i < count; ++i) reversed |= ((bits >> i) & 1u) << (count - 1 - i);
  return reversed;
}

/// Where the range of each token begins; tokens that there are not begin at the end.
struct Begins {
  uint32_t of_token[33] = {};
};

Begins BeginsOf(const uint16_t* table) {
  Begins begins;
  for (size_t token = 0; token < 32; ++token)
    begins.of_token[token + 1] = begins.of_token[token] + (token < kR32TokensMax ? table[token] : 0u);
  return begins;
}

constexpr R32TokensByWay MakeTokensByWay() {
  R32TokensByWay tables{};
  for (int levels = 0; levels <= R32SearchTables::kLevelsMax; ++levels) {
    for (uint32_t way = 0; way < 32; ++way) {
      const uint32_t token = Reversed(way & ((1u << levels) - 1), levels);
      if (token >= kR32TokensMax) continue;
      tables.base[levels][way] = static_cast<uint16_t>(R32Base(token));
      tables.raw_bits[levels][way] = static_cast<uint16_t>(R32RawBits(token));
    }
  }
  return tables;
}

constexpr void Set(R32BytesByToken& values, uint32_t token, uint32_t value) {
  values.low[token] = static_cast<uint8_t>(value);
  values.high[token] = static_cast<uint8_t>(value >> 8);
}

constexpr R32Tokens MakeTokens() {
  R32Tokens tokens{};
  for (uint32_t token = 0; token < kR32TokensMax; ++token) {
    const uint32_t raw_bits = R32RawBits(token);
    Set(tokens.base, token, R32Base(token));
    Set(tokens.raw_mask, token, (1u << raw_bits) - 1);
    Set(tokens.quotient_factor, token, raw_bits == 0 ? 0 : 1u << (16 - raw_bits));
  }
  return tokens;
}

}  // namespace

const R32Tokens kR32Tokens = MakeTokens();
const R32TokensByWay kR32TokensByWay = MakeTokensByWay();

int R32SearchLevels(const R32Model& model) {
  if (model.tokens <= 8) return 3;
  return model.tokens <= 16 ? 4 : 5;
}

void PrepareR32Search(const R32Model& model, R32SearchTables& tables) {
  uint16_t* const levels[] = {tables.level0, tables.level1, tables.level2, tables.level3, tables.level4};
  const int depth = R32SearchLevels(model);
  for (size_t context = 0; context < kR32ContextsMax; ++context) {
    const Begins begins = BeginsOf(model.tables[context]);
    for (int level = 0; level < depth; ++level) {
      for (uint32_t way = 0; way < (1u << level); ++way) {
        const uint32_t token = (2 * Reversed(way, level) + 1) << (depth - 1 - level);
        levels[level][context | way << R32SearchTables::kContextBits] =
            static_cast<uint16_t>(begins.of_token[token]);
      }
    }
  }
  for (uint32_t activity = 0; activity <= kR32ActivityMax; ++activity) {
    tables.value_contexts[activity] = model.values.Of(activity);
    tables.group_contexts[activity] = model.groups.Of(activity);
  }
  for (size_t context = 0; context < kR32ContextsMax; ++context)
    tables.empty[context] = static_cast<uint16_t>(kR32ProbabilityScale - model.occupied[context]);
}

void PrepareR32Nodes(const R32Model& model, R32NodeTables& tables) {
  const int depth = R32SearchLevels(model);
  for (size_t context = 0; context < kR32ContextsMax; ++context) {
    const Begins begins = BeginsOf(model.tables[context]);
    for (int level = 0; level < depth; ++level) {
      for (uint32_t way = 0; way < (1u << level); ++way)
        tables.thresholds[(1u << level) - 1 + way][context] =
            static_cast<uint16_t>(begins.of_token[(2 * way + 1) << (depth - 1 - level)]);
    }
  }
}

}  // namespace freqstore

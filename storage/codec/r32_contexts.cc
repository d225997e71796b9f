#include "storage/codec/r32_contexts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace freqstore {
namespace {

// What a context costs in the model: a few bits, and some a token.
constexpr float kBitsOfContext = 16;
constexpr float kBitsOfToken = 8;

/// log2 of a count, from a table and the exponent: within 0.001.
float Log2(uint32_t count) {
  static const std::array<float, 1024> fractions = [] {
    std::array<float, 1024> made{};
    for (size_t i = 0; i < made.size(); ++i) made[i] = std::log2(1.f + static_cast<float>(i) / 1024.f);
    return made;
  }();
  const int exponent = static_cast<int>(std::bit_width(count)) - 1;
  const uint64_t fraction = (uint64_t{count} << 10 >> exponent) & 1023;
  return static_cast<float>(exponent) + fractions[fraction];
}

/// Activities [.., last] that share a context.
struct Range {
  size_t last;
  R32Counts counts;
  float bits;
};

float BitsOf(const R32Counts& counts) {
  uint32_t total = 0;
  float bits = 0;
  float tokens = 0;
  for (uint32_t count : counts) {
    if (count == 0) continue;
    total += count;
    bits -= static_cast<float>(count) * Log2(count);
    tokens += 1;
  }
  if (total == 0) return 0;
  return bits + static_cast<float>(total) * Log2(total) + kBitsOfContext + kBitsOfToken * tokens;
}

R32Counts Sum(const R32Counts& a, const R32Counts& b) {
  R32Counts sum;
  for (size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

uint32_t TotalOf(const R32Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0u);
}

/// Merges neighbours, always the pair that costs least.
void Merge(std::vector<Range>& ranges, size_t contexts_max) {
  std::vector<float> costs;  // of merging a range with the next
  const auto cost = [&](size_t i) {
    return BitsOf(Sum(ranges[i].counts, ranges[i + 1].counts)) - ranges[i].bits - ranges[i + 1].bits;
  };
  for (size_t i = 0; i + 1 < ranges.size(); ++i) costs.push_back(cost(i));
  while (ranges.size() > 1) {
    const auto least = std::min_element(costs.begin(), costs.end());
    if (ranges.size() <= contexts_max && *least >= 0) return;
    const auto i = static_cast<size_t>(least - costs.begin());
    ranges[i].bits += ranges[i + 1].bits + *least;
    ranges[i].counts = Sum(ranges[i].counts, ranges[i + 1].counts);
    ranges[i].last = ranges[i + 1].last;
    ranges.erase(ranges.begin() + static_cast<ptrdiff_t>(i) + 1);
    costs.erase(least);
    if (i + 1 < ranges.size()) costs[i] = cost(i);
    if (i > 0) costs[i - 1] = cost(i - 1);
  }
}

}  // namespace

R32ContextChoice ChooseR32Contexts(const R32Histogram& histogram, size_t contexts_max, bool border) {
  std::vector<Range> ranges;
  const size_t end = border ? kR32ActivityMax : kR32ActivityMax + size_t{1};
  for (size_t activity = 0; activity < end; ++activity) {
    if (TotalOf(histogram[activity]) > 0)
      ranges.push_back({activity, histogram[activity], BitsOf(histogram[activity])});
  }
  const bool has_border = border && TotalOf(histogram[kR32ActivityMax]) > 0;
  Merge(ranges, contexts_max - (has_border ? 1 : 0));
  if (has_border) ranges.push_back({kR32ActivityMax, histogram[kR32ActivityMax], 0});
  if (ranges.empty()) ranges.push_back({kR32ActivityMax, {1}, 0});

  R32ContextChoice choice;
  choice.contexts.count = static_cast<uint8_t>(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (i + 1 < ranges.size()) choice.contexts.thresholds[i] = static_cast<uint8_t>(ranges[i].last + 1);
    choice.counts.push_back(ranges[i].counts);
  }
  if (has_border && ranges.size() > 1) choice.contexts.thresholds[ranges.size() - 2] = kR32ActivityMax;
  return choice;
}

void NormalizeR32Counts(const R32Counts& counts, uint16_t* table) {
  std::fill_n(table, kR32TokensMax, uint16_t{0});
  const uint64_t total = TotalOf(counts);
  if (total == 0) {
    table[0] = kR32ProbabilityScale - 1;
    table[1] = 1;
    return;
  }
  uint32_t sum = 0;
  size_t seen = 0;
  for (size_t token = 0; token < counts.size(); ++token) {
    if (counts[token] == 0) continue;
    const uint64_t scaled = (uint64_t{counts[token]} * kR32ProbabilityScale + total / 2) / total;
    table[token] = static_cast<uint16_t>(std::clamp<uint64_t>(scaled, 1, kR32ProbabilityScale - 1));
    sum += table[token];
    ++seen;
  }
  if (seen == 1) {
    // A second token keeps the frequency below the scale.
    const size_t other = counts[0] == 0 ? 0 : 1;
    table[other] = 1;
    sum += 1;
  }
  // The rounding is made good where it costs least.
  while (sum != kR32ProbabilityScale) {
    const bool lower = sum > kR32ProbabilityScale;
    size_t best = 0;
    float best_cost = std::numeric_limits<float>::infinity();
    for (size_t token = 0; token < counts.size(); ++token) {
      const float frequency = table[token];
      const bool fixed =
          lower ? table[token] <= 1 : table[token] == 0 || table[token] + 1u == kR32ProbabilityScale;
      if (fixed) continue;
      const float changed = lower ? frequency - 1 : frequency + 1;
      const float cost = static_cast<float>(counts[token]) * std::log2(frequency / changed);
      if (cost < best_cost) {
        best_cost = cost;
        best = token;
      }
    }
    table[best] = static_cast<uint16_t>(lower ? table[best] - 1 : table[best] + 1);
    sum = lower ? sum - 1 : sum + 1;
  }
}

}  // namespace freqstore

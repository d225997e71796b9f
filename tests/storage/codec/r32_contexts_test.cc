#include "storage/codec/r32_contexts.h"

#include <algorithm>
#include <random>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

void CheckTable(const R32Counts& counts) {
  uint16_t table[kR32TokensMax];
  std::fill_n(table, kR32TokensMax, uint16_t{0xffff});
  NormalizeR32Counts(counts, table);
  uint32_t sum = 0;
  for (size_t token = 0; token < kR32TokensMax; ++token) {
    CHECK((counts[token] == 0 || table[token] >= 1));
    CHECK(table[token] < kR32ProbabilityScale);
    sum += table[token];
  }
  CHECK(sum == kR32ProbabilityScale);
}

void CheckChoice(const R32Histogram& histogram, const R32ContextChoice& choice) {
  const R32Contexts& contexts = choice.contexts;
  REQUIRE((contexts.count >= 1 && contexts.count <= kR32ContextsMax));
  REQUIRE(choice.counts.size() == contexts.count);
  for (size_t i = 0; i + 1 < contexts.count; ++i) {
    CHECK((contexts.thresholds[i] >= 1 && contexts.thresholds[i] <= kR32ActivityMax));
    CHECK((i == 0 || contexts.thresholds[i - 1] < contexts.thresholds[i]));
  }
  // What was seen at an activity is in the counts of its context.
  std::vector<R32Counts> counts(contexts.count);
  bool any = false;
  for (uint32_t activity = 0; activity < histogram.size(); ++activity) {
    for (size_t token = 0; token < kR32TokensMax; ++token) {
      counts[contexts.Of(activity)][token] += histogram[activity][token];
      any = any || histogram[activity][token] > 0;
    }
  }
  if (any) CHECK(choice.counts == counts);
}

/// Where larger tokens come with more activity.
R32Histogram RandomHistogram(std::mt19937& random) {
  R32Histogram histogram{};
  const size_t gaps = 1 + random() % 4;
  for (uint32_t activity = 0; activity < histogram.size(); ++activity) {
    if (random() % gaps != 0) continue;
    for (size_t i = 0; i < 6; ++i)
      histogram[activity][random() % (1 + activity / 8)] += static_cast<uint32_t>(random() % 5000);
  }
  return histogram;
}

}  // namespace

TEST_CASE("Frequencies add up, whatever was counted", "[r32]") {
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    R32Counts counts{};
    const size_t seen = random() % (kR32TokensMax + 1);
    for (size_t i = 0; i < seen; ++i)
      counts[random() % kR32TokensMax] = static_cast<uint32_t>(random()) >> (random() % 32);
    CheckTable(counts);
  }
}

TEST_CASE("Frequencies add up at the extremes", "[r32]") {
  CheckTable({});
  R32Counts all_once{};
  all_once.fill(1);
  CheckTable(all_once);
  R32Counts all_often{};
  all_often.fill(UINT32_MAX);
  CheckTable(all_often);
  for (size_t token = 0; token < kR32TokensMax; ++token) {
    R32Counts only{};
    only[token] = 1;
    CheckTable(only);
    only[token] = UINT32_MAX;
    CheckTable(only);
    R32Counts mostly = all_once;
    mostly[token] = UINT32_MAX;
    CheckTable(mostly);
    R32Counts two{};
    two[token] = 1u << 31;
    two[(token + 1) % kR32TokensMax] = 1;
    CheckTable(two);
  }
}

TEST_CASE("Frequencies are in proportion to counts", "[r32]") {
  uint16_t table[kR32TokensMax];
  NormalizeR32Counts({512, 0, 256, 0, 256}, table);
  CHECK(table[0] == 512);
  CHECK(table[1] == 0);
  CHECK(table[2] == 256);
  NormalizeR32Counts({3'000'000'000u, 1'000'000'000u, 2'000'000'000u, 2'000'000'000u}, table);
  CHECK(table[0] == 384);
  CHECK(table[1] == 128);
  CHECK(table[2] == 256);
}

TEST_CASE("Contexts are ranges of activities", "[r32]") {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const R32Histogram histogram = RandomHistogram(random);
    const size_t contexts_max = 1 + random() % kR32ContextsMax;
    CAPTURE(round, contexts_max);
    const R32ContextChoice choice = ChooseR32Contexts(histogram, contexts_max, false);
    CHECK(choice.contexts.count <= contexts_max);
    CheckChoice(histogram, choice);
  }
}

TEST_CASE("What differs stays apart, what is alike is merged", "[r32]") {
  R32Histogram histogram{};
  for (size_t activity = 0; activity < histogram.size(); ++activity)
    histogram[activity] = activity < 40 ? R32Counts{90, 10} : R32Counts{10, 90};
  const R32ContextChoice choice = ChooseR32Contexts(histogram, kR32ContextsMax, false);
  CHECK(choice.contexts.count == 2);
  CHECK(choice.contexts.thresholds[0] == 40);
  CheckChoice(histogram, choice);
}

TEST_CASE("The border of DC is a context of its own", "[r32]") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    R32Histogram histogram = RandomHistogram(random);
    histogram[kR32ActivityMax] = {static_cast<uint32_t>(random() % 2 * 100)};
    CAPTURE(round);
    const R32ContextChoice choice = ChooseR32Contexts(histogram, kR32ContextsMax, true);
    CheckChoice(histogram, choice);
    if (histogram[kR32ActivityMax][0] == 0) continue;
    CHECK(choice.counts.back() == histogram[kR32ActivityMax]);
    if (choice.contexts.count > 1) CHECK(choice.contexts.Of(kR32ActivityMax - 1) + 1 < choice.contexts.count);
  }
}

TEST_CASE("Contexts are chosen where nothing or only the border was seen", "[r32]") {
  R32Histogram histogram{};
  for (bool border : {false, true}) {
    const R32ContextChoice none = ChooseR32Contexts(histogram, kR32ContextsMax, border);
    CHECK(none.contexts.count == 1);
    CheckTable(none.counts[0]);
  }
  histogram[kR32ActivityMax] = {7, 9};
  for (bool border : {false, true}) {
    const R32ContextChoice only = ChooseR32Contexts(histogram, kR32ContextsMax, border);
    CHECK(only.contexts.count == 1);
    CHECK(only.counts[0] == histogram[kR32ActivityMax]);
  }
}

}  // namespace freqstore

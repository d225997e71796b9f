#include "server/exec/top_classes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace freqstore {
namespace {

/// NaN sorts below everything.
float Rank(float value) {
  return std::isnan(value) ? -std::numeric_limits<float>::infinity() : value;
}

bool IsDistribution(std::span<const float> outputs) {
  double sum = 0;
  for (const float value : outputs) {
    if (!(value >= 0)) return false;
    sum += value;
  }
  return std::abs(sum - 1.0) <= 1e-3;
}

}  // namespace

std::vector<ClassScore> TopClasses(std::span<const float> outputs, uint32_t count) {
  std::vector<uint32_t> order(outputs.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto best = order.begin() + std::min<std::ptrdiff_t>(count, std::ssize(order));
  std::partial_sort(order.begin(), best, order.end(), [&](uint32_t a, uint32_t b) {
    const float rank_a = Rank(outputs[a]);
    const float rank_b = Rank(outputs[b]);
    return rank_a != rank_b ? rank_a > rank_b : a < b;
  });
  order.erase(best, order.end());

  double sum = 1;
  double peak = 0;
  const bool softmax = !IsDistribution(outputs);
  if (softmax && !order.empty()) {
    peak = outputs[order.front()];
    sum = 0;
    for (const float value : outputs) sum += std::exp(Rank(value) - peak);
  }
  std::vector<ClassScore> top;
  for (const uint32_t index : order) {
    const double score = softmax ? std::exp(outputs[index] - peak) / sum : double{outputs[index]};
    top.push_back({index, static_cast<float>(score)});
  }
  return top;
}

}  // namespace freqstore

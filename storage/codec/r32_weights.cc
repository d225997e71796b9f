#include "storage/codec/r32_weights.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

namespace freqstore {
namespace {

constexpr size_t kTermsMax = 8;  // the references, a constant, and one more for vectors to be whole
static_assert(kR32ReferencesMax + 1 <= kTermsMax);
constexpr size_t kSamplesMin = 256;
constexpr int kReweightings = 3;
constexpr int kDescents = 40;
constexpr float kConstantMin = 0.002f;
constexpr float kGuessMin = 0.003f;
constexpr float kWeightOfGreatest = 100.f;

struct alignas(32) Terms {
  std::array<float, kTermsMax> values{};
  float& operator[](size_t i) { return values[i]; }
  float operator[](size_t i) const { return values[i]; }
};

/// The normal equations of a weighted least squares fit.
struct Equations {
  std::array<Terms, kTermsMax> products{};
  Terms targets{};
};

class Fit {
 public:
  Fit(std::span<const uint8_t> magnitudes, std::span<const std::span<const uint8_t>> references)
      : terms_(references.size() + 1), rows_(magnitudes.size()), guesses_(magnitudes.size()) {
    float sum = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      for (size_t r = 0; r < references.size(); ++r) rows_[i].terms[r] = references[r][i];
      rows_[i].terms[terms_ - 1] = 1.f;
      rows_[i].target = magnitudes[i];
      sum += rows_[i].target;
    }
    std::fill(guesses_.begin(), guesses_.end(), sum / static_cast<float>(rows_.size()) + 0.02f);
  }

  Terms Run() {
    Terms weights{};
    weights[terms_ - 1] = 0.3f;
    for (int round = 0; round < kReweightings; ++round) {
      Solve(BuildEquations(), weights);
      for (size_t i = 0; i < rows_.size(); ++i) {
        float guess = 0;
        for (size_t t = 0; t < kTermsMax; ++t) guess += weights[t] * rows_[i].terms[t];
        guesses_[i] = std::max(guess, kGuessMin);
      }
    }
    return weights;
  }

 private:
  struct Row {
    Terms terms{};
    float target = 0;
  };

  Equations BuildEquations() const {
    Equations equations;
    for (size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      const float scale = 1.f / (guesses_[i] * guesses_[i]);
      for (size_t t = 0; t < kTermsMax; ++t) {
        const float scaled = scale * row.terms[t];
        equations.targets[t] += scaled * row.target;
        for (size_t s = 0; s < kTermsMax; ++s) equations.products[t][s] += scaled * row.terms[s];
      }
    }
    for (size_t t = 0; t < terms_; ++t) equations.products[t][t] += equations.products[t][t] * 1e-6f + 1e-9f;
    return equations;
  }

  /// Descends along one weight after the other, none below 0.
  void Solve(const Equations& equations, Terms& weights) const {
    for (int descent = 0; descent < kDescents; ++descent) {
      for (size_t t = 0; t < terms_; ++t) {
        float rest = equations.targets[t];
        for (size_t s = 0; s < terms_; ++s) rest -= s == t ? 0.f : equations.products[t][s] * weights[s];
        weights[t] = std::max(t + 1 == terms_ ? kConstantMin : 0.f, rest / equations.products[t][t]);
      }
    }
  }

  const size_t terms_;
  std::vector<Row> rows_;
  std::vector<float> guesses_;
};

}  // namespace

bool FitR32Weights(std::span<const uint8_t> magnitudes,
                   std::span<const std::span<const uint8_t>> reference_magnitudes,
                   std::span<R32Reference> references) {
  assert(references.size() == reference_magnitudes.size() && references.size() <= kR32ReferencesMax);
  if (magnitudes.size() < kSamplesMin || references.empty()) return false;
  const Terms weights = Fit(magnitudes, reference_magnitudes).Run();
  const float greatest = *std::max_element(
      weights.values.begin(), weights.values.begin() + static_cast<ptrdiff_t>(references.size()));
  if (!(greatest > 1e-6f)) return false;
  for (size_t r = 0; r < references.size(); ++r)
    references[r].weight = static_cast<uint8_t>(std::lround(weights[r] / greatest * kWeightOfGreatest));
  return true;
}

}  // namespace freqstore

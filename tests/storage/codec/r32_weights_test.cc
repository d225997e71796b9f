#include "storage/codec/r32_weights.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

struct Sample {
  std::vector<uint8_t> magnitudes;
  std::vector<std::vector<uint8_t>> references;
};

/// Values whose magnitudes are about the weighted sum of their references'.
Sample MakeSample(size_t count, const std::vector<double>& weights, std::mt19937& random) {
  Sample sample;
  sample.references.resize(weights.size());
  std::geometric_distribution<int> magnitude(0.1);
  std::uniform_real_distribution<double> noise(0.8, 1.2);
  for (size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (size_t r = 0; r < weights.size(); ++r) {
      const int reference = std::min(magnitude(random), 60);
      sample.references[r].push_back(static_cast<uint8_t>(reference));
      sum += weights[r] * reference;
    }
    sample.magnitudes.push_back(static_cast<uint8_t>(std::min(127., std::round(sum * noise(random)))));
  }
  return sample;
}

bool Fit(const Sample& sample, std::vector<R32Reference>& references) {
  const std::vector<std::span<const uint8_t>> views(sample.references.begin(), sample.references.end());
  return FitR32Weights(sample.magnitudes, views, references);
}

}  // namespace

TEST_CASE("Weights that made the values are found again", "[r32]") {
  std::mt19937 random(1);
  for (const std::vector<double>& weights :
       {std::vector<double>{0.5}, {0.4, 0.2}, {0.1, 0.4, 0., 0.2}, {0.3, 0.1, 0.2, 0., 0.05, 0.15}}) {
    std::vector<R32Reference> references(weights.size());
    REQUIRE(Fit(MakeSample(8000, weights, random), references));
    const double greatest = *std::max_element(weights.begin(), weights.end());
    for (size_t r = 0; r < weights.size(); ++r) {
      CAPTURE(weights.size(), r, int{references[r].weight});
      CHECK(std::abs(references[r].weight - weights[r] / greatest * 100) < 15);
    }
    CHECK(std::any_of(references.begin(), references.end(), [](const auto& r) { return r.weight == 100; }));
  }
}

TEST_CASE("A reference that says nothing weighs little", "[r32]") {
  std::mt19937 random(2);
  Sample sample = MakeSample(8000, {0.5, 0.}, random);
  std::vector<R32Reference> references(2);
  REQUIRE(Fit(sample, references));
  CHECK(references[0].weight == 100);
  CHECK(references[1].weight < 5);

  std::fill(sample.references[1].begin(), sample.references[1].end(), uint8_t{0});
  REQUIRE(Fit(sample, references));
  CHECK(references[0].weight == 100);
}

TEST_CASE("Nothing is fitted to too little", "[r32]") {
  std::mt19937 random(3);
  const std::vector<R32Reference> before(2, {R32Reference::Kind::kFrequency, 1, 42});
  std::vector<R32Reference> references = before;
  CHECK(!Fit(MakeSample(0, {0.5, 0.5}, random), references));
  CHECK(!Fit(MakeSample(255, {0.5, 0.5}, random), references));
  CHECK(references == before);
  std::vector<R32Reference> none;
  CHECK(!Fit(MakeSample(1000, {}, random), none));
}

TEST_CASE("Nothing is fitted to zeros", "[r32]") {
  std::mt19937 random(4);
  const std::vector<R32Reference> before(2, {R32Reference::Kind::kFrequency, 1, 42});
  std::vector<R32Reference> references = before;
  Sample sample = MakeSample(1000, {0.5, 0.5}, random);
  std::fill(sample.magnitudes.begin(), sample.magnitudes.end(), uint8_t{0});
  CHECK(!Fit(sample, references));
  CHECK(references == before);

  for (auto& reference : sample.references) std::fill(reference.begin(), reference.end(), uint8_t{0});
  CHECK(!Fit(sample, references));
  std::fill(sample.magnitudes.begin(), sample.magnitudes.end(), uint8_t{9});
  CHECK(!Fit(sample, references));
  CHECK(references == before);
}

TEST_CASE("Weights stay in range at extremes", "[r32]") {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    Sample sample = MakeSample(300, std::vector<double>(kR32ReferencesMax, 0.), random);
    for (uint8_t& magnitude : sample.magnitudes) magnitude = random() % 2 == 0 ? 127 : 0;
    for (auto& reference : sample.references)
      for (uint8_t& magnitude : reference) magnitude = random() % 3 == 0 ? 128 : 0;
    std::vector<R32Reference> references(kR32ReferencesMax);
    if (!Fit(sample, references)) continue;
    for (const R32Reference& reference : references) CHECK(reference.weight <= 100);
  }
}

}  // namespace freqstore

#include "storage/codec/r32_references.h"

#include <algorithm>
#include <set>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

R32Model ModelWith(const std::vector<R32Reference>& references) {
  R32Model model;
  model.reference_count = static_cast<uint8_t>(references.size());
  std::copy(references.begin(), references.end(), model.references);
  model.tables[0][0] = kR32ProbabilityScale - 1;
  model.tables[0][1] = 1;
  return model;
}

}  // namespace

TEST_CASE("A column may have its default references", "[r32]") {
  for (uint8_t c = 0; c < kComponentsMax; ++c) {
    CHECK(DefaultR32References({c, 0}).empty());
    for (uint16_t z = 1; z < kFrequencies; ++z) {
      CAPTURE(c, z);
      const std::vector<R32Reference> references = DefaultR32References({c, z});
      REQUIRE((!references.empty() && references.size() <= kR32ReferencesMax));
      const R32Model model = ModelWith(references);
      CHECK(ParseR32Model({c, z}, AsBytes(SerializeR32Model(model))).ok());
      std::set<std::pair<R32Reference::Kind, uint8_t>> different;
      for (const R32Reference& reference : references) {
        different.insert({reference.kind, reference.frequency});
        CHECK(reference.weight > 0);
      }
      CHECK(different.size() == references.size());
    }
  }
}

TEST_CASE("Only Cr refers to another component", "[r32]") {
  for (uint8_t c = 0; c < kComponentsMax; ++c) {
    for (uint16_t z = 1; z < kFrequencies; ++z) {
      const ColumnSet contexts = R32ContextColumns({c, z}, ModelWith(DefaultR32References({c, z})));
      for (uint8_t other = 0; other < kComponentsMax; ++other) {
        CAPTURE(c, z, other);
        if (other != c) CHECK(contexts.components[other].size() == (c == 2 && other == 1 ? 1 : 0));
      }
    }
  }
}

TEST_CASE("A column refers to its neighbours at lower frequencies", "[r32]") {
  // Zigzag 4 is u = 1, v = 1; beside it are 1 (u = 1, v = 0) and 2 (u = 0, v = 1).
  const std::vector<R32Reference> references = DefaultR32References({0, 4});
  const auto refers_to = [&](R32Reference::Kind kind, uint8_t frequency) {
    return std::any_of(references.begin(), references.end(), [&](const R32Reference& reference) {
      return reference.kind == kind && reference.frequency == frequency;
    });
  };
  CHECK(references.size() == 4);
  CHECK(refers_to(R32Reference::Kind::kFrequency, 1));
  CHECK(refers_to(R32Reference::Kind::kFrequency, 2));
  CHECK(refers_to(R32Reference::Kind::kHorizontal, 0));
  CHECK(refers_to(R32Reference::Kind::kVertical, 0));
}

}  // namespace freqstore

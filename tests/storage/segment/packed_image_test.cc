#include "storage/segment/packed_image.h"

#include <algorithm>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "tests/storage/segment/synthetic_images.h"

namespace freqstore {
namespace {

using testutil::SyntheticImage;

/// A copy whose planes are int8 where their values fit. DC too, which no decoder makes narrow.
CoefficientPlanes Narrowed(const CoefficientPlanes& wide) {
  FrequencySet narrow;
  for (int z = 0; z < kFrequencies; ++z) {
    const std::vector<int16_t> values = wide.Values(z);
    const auto fits = [](int16_t value) { return value >= INT8_MIN && value <= INT8_MAX; };
    if (std::all_of(values.begin(), values.end(), fits)) narrow.Insert(z);
  }
  CoefficientPlanes planes;
  planes.Reset(wide.grid(), FrequencySet::All(), narrow);
  for (int z = 0; z < kFrequencies; ++z) {
    const std::vector<int16_t> values = wide.Values(z);
    if (narrow.Contains(z)) {
      std::transform(values.begin(), values.end(), planes.narrow_plane(z).begin(),
                     [](int16_t value) { return static_cast<int8_t>(value); });
    } else {
      std::copy(values.begin(), values.end(), planes.plane(z).begin());
    }
  }
  return planes;
}

}  // namespace

TEST_CASE("Packed images unpack into what they were", "[packed]") {
  CoefficientPlanes planes;
  for (const SyntheticImage& image : testutil::MakeOddImages()) {
    const PackedImage packed = PackImage(image.record, image.components);
    CHECK(packed.record == image.record);
    REQUIRE(packed.offsets.size() == image.components.size() * kFrequencies + 1);
    CHECK(packed.offsets.back() == packed.runs.size());
    for (size_t c = 0; c < image.components.size(); ++c) {
      REQUIRE(UnpackComponent(packed, c, planes).ok());
      CHECK(planes.grid() == image.components[c].grid());
      CHECK(planes.frequencies() == FrequencySet::All());
      CHECK(!planes.IsNarrow(0));
      for (int z = 0; z < kFrequencies; ++z) {
        const std::vector<int16_t> values = image.components[c].Values(z);
        CHECK(planes.Values(z) == values);
        const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
        if (z > 0) CHECK(planes.IsNarrow(z) == (*least >= INT8_MIN && *greatest <= INT8_MAX));
      }
    }
  }
}

TEST_CASE("Narrow planes pack as wide ones do", "[packed]") {
  for (const SyntheticImage& image : testutil::MakeOddImages()) {
    std::vector<CoefficientPlanes> narrowed;
    for (const CoefficientPlanes& wide : image.components) narrowed.push_back(Narrowed(wide));
    const PackedImage packed = PackImage(image.record, narrowed);
    const PackedImage expected = PackImage(image.record, image.components);
    CHECK(packed.runs == expected.runs);
    CHECK(packed.offsets == expected.offsets);
    CHECK(packed.narrow == expected.narrow);
  }
}

TEST_CASE("A damaged run is refused", "[packed]") {
  const SyntheticImage image = testutil::MakeOddImages()[0];
  const PackedImage packed = PackImage(image.record, image.components);
  CoefficientPlanes planes;
  const size_t run = kFrequencies + 3;  // component 1, frequency 3
  PackedImage shorter = packed;
  --shorter.offsets[run + 1];
  CHECK(ReasonOf(UnpackComponent(shorter, 1, planes)) == "CORRUPT_CHUNK");
  CHECK(UnpackComponent(shorter, 0, planes).ok());

  PackedImage wider = packed;
  wider.runs[wider.offsets[run]] = static_cast<char>(wider.runs[wider.offsets[run]] ^ 1);  // a width
  CHECK(ReasonOf(UnpackComponent(wider, 1, planes)) == "CORRUPT_CHUNK");

  PackedImage without = packed;
  for (size_t i = run + 1; i < without.offsets.size(); ++i) without.offsets[i] = without.offsets[run];
  CHECK(ReasonOf(UnpackComponent(without, 1, planes)) == "CORRUPT_CHUNK");
}

}  // namespace freqstore

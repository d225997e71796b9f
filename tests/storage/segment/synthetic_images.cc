#include "tests/storage/segment/synthetic_images.h"

#include <bit>
#include <string>

namespace freqstore::testutil {
namespace {

/// SplitMix64: fixed here because golden files depend on it.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

int16_t Coefficient(int zigzag, Random& random) {
  const uint64_t bits = random.Next();
  if (bits % 509 == 0) return static_cast<int16_t>(bits >> 48);
  const unsigned spread = 10u - static_cast<unsigned>(std::bit_width(static_cast<unsigned>(zigzag)));
  const auto magnitude = static_cast<int16_t>((bits >> 16) & ((1u << spread) - 1));
  const bool is_zero = (bits >> 40) % 64 < static_cast<uint64_t>(zigzag);
  if (is_zero) return 0;
  return (bits & 4) != 0 ? magnitude : static_cast<int16_t>(-magnitude);
}

}  // namespace

SyntheticImage MakeSyntheticImage(const SyntheticSpec& spec) {
  Random random(spec.seed);
  SyntheticImage image;
  ImageRecord& record = image.record;
  record.image_id = "synthetic/" + std::to_string(spec.seed) + ".jpg";
  record.geometry.width = spec.width;
  record.geometry.height = spec.height;
  record.geometry.color = spec.color;
  record.geometry.orientation = static_cast<uint8_t>(1 + random.Next() % 8);
  for (size_t c = 0; c < spec.sampling.size(); ++c) {
    ComponentGeometry& component = record.geometry.components.emplace_back();
    component.h_samp = spec.sampling[c][0];
    component.v_samp = spec.sampling[c][1];
    for (size_t z = 0; z < kFrequencies; ++z) {
      component.quant[z] = static_cast<uint16_t>(c == 0 ? 1 + z : 2 + z * (1 + spec.seed % 3));
    }
  }
  for (ComponentGeometry& component : record.geometry.components) {
    component.grid = ExpectedGrid(record.geometry, component);
  }
  record.progressive = random.Next() % 2 == 0;
  record.truncated = random.Next() % 4 == 0;
  record.warnings = static_cast<uint32_t>(random.Next() % 3);
  record.quality = static_cast<uint8_t>(random.Next() % 101);
  record.file_bytes = random.Next() % 1'000'000;
  for (int i = 0; i < 32; ++i) record.sha256.push_back(static_cast<char>(random.Next() & 0xff));
  record.import_time_us = 1'700'000'000'000'000 + static_cast<int64_t>(spec.seed);

  for (const ComponentGeometry& component : record.geometry.components) {
    CoefficientPlanes& planes = image.components.emplace_back(component.grid, FrequencySet::All());
    for (int z = 0; z < kFrequencies; ++z) {
      for (int16_t& value : planes.plane(z)) value = Coefficient(z, random);
    }
  }
  return image;
}

std::vector<SyntheticImage> MakeOddImages() {
  std::vector<SyntheticImage> images;
  for (const SyntheticSpec& spec : {
           SyntheticSpec{.width = 37, .height = 29, .sampling = {{2, 2}, {1, 1}, {1, 1}}, .seed = 1},
           SyntheticSpec{.width = 1, .height = 65, .sampling = {{1, 1}, {1, 1}, {1, 1}}, .seed = 2},
           SyntheticSpec{
               .width = 40, .height = 33, .color = ColorModel::kGrayscale, .sampling = {{1, 1}}, .seed = 3},
           SyntheticSpec{.width = 16, .height = 24, .color = ColorModel::kRgb, .seed = 4},
           SyntheticSpec{.width = 50, .height = 31, .sampling = {{3, 2}, {1, 1}, {2, 1}}, .seed = 5},
           SyntheticSpec{.width = 23, .height = 41, .sampling = {{1, 1}, {2, 2}, {1, 2}}, .seed = 6},
       }) {
    images.push_back(MakeSyntheticImage(spec));
  }
  return images;
}

}  // namespace freqstore::testutil

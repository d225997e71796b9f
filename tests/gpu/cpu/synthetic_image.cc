#include "tests/gpu/cpu/synthetic_image.h"

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/format.h>

namespace freqstore::testutil {
namespace {

constexpr int kDcRange = 60;
constexpr int kAcRange = 40;
constexpr int kOutliersPerThousand = 2;

uint32_t DivideUp(uint32_t value, uint32_t by) {
  return (value + by - 1) / by;
}

void Fill(std::mt19937& random, CoefficientPlanes& planes) {
  for (int z = 0; z < kFrequencies; ++z) {
    const int range = z == 0 ? kDcRange : kAcRange / (1 + HorizontalFrequency(z) + VerticalFrequency(z));
    std::uniform_int_distribution<int> value(-range, range);
    std::uniform_int_distribution<int> per_thousand(0, 999);
    for (int16_t& coefficient : planes.plane(z)) {
      const bool outlier = per_thousand(random) < kOutliersPerThousand;
      coefficient = static_cast<int16_t>(outlier ? value(random) * 10 : value(random));
    }
  }
}

// The values of the frequencies that `to` has.
void CopyValues(const CoefficientPlanes& from, CoefficientPlanes& to) {
  for (int z = 0; z < kFrequencies; ++z) {
    if (!to.frequencies().Contains(z)) continue;
    for (size_t block = 0; block < to.grid().blocks(); ++block) {
      if (to.IsNarrow(z)) {
        to.narrow_plane(z)[block] = static_cast<int8_t>(from.value(z, block));
      } else {
        to.plane(z)[block] = from.value(z, block);
      }
    }
  }
}

}  // namespace

std::string Describe(const ImageSpec& spec) {
  std::string text = fmt::format("{} x {}, color {}, orientation {}, sampling", spec.width, spec.height,
                                 static_cast<int>(spec.color), spec.orientation);
  for (const auto& [h, v] : spec.sampling) text += fmt::format(" {}x{}", h, v);
  return text;
}

TestImage MakeImage(const ImageSpec& spec) {
  std::mt19937 random(spec.seed);
  TestImage image;
  image.geometry.width = spec.width;
  image.geometry.height = spec.height;
  image.geometry.color = spec.color;
  image.geometry.orientation = spec.orientation;
  for (const auto& [h, v] : spec.sampling) {
    ComponentGeometry component;
    component.h_samp = static_cast<uint8_t>(h);
    component.v_samp = static_cast<uint8_t>(v);
    for (size_t z = 0; z < kFrequencies; ++z)
      component.quant[z] = static_cast<uint16_t>(4 + z / 8 + random() % 3);
    image.geometry.components.push_back(component);
  }
  const auto h_max = static_cast<uint32_t>(image.geometry.h_samp_max());
  const auto v_max = static_cast<uint32_t>(image.geometry.v_samp_max());
  for (ComponentGeometry& component : image.geometry.components) {
    component.grid = {DivideUp(DivideUp(spec.width * component.h_samp, h_max), 8),
                      DivideUp(DivideUp(spec.height * component.v_samp, v_max), 8)};
    CoefficientPlanes planes(component.grid, FrequencySet::All());
    Fill(random, planes);
    image.components.push_back(spec.narrow ? Narrowed(planes) : std::move(planes));
  }
  return image;
}

CoefficientPlanes Narrowed(const CoefficientPlanes& planes) {
  FrequencySet narrow;
  for (int z = 0; z < kFrequencies; ++z) {
    if (!planes.frequencies().Contains(z)) continue;
    const bool fits = planes.IsNarrow(z) || std::ranges::all_of(planes.plane(z), [](int16_t v) {
                        return v >= INT8_MIN && v <= INT8_MAX;
                      });
    if (fits) narrow.Insert(z);
  }
  CoefficientPlanes narrowed;
  narrowed.Reset(planes.grid(), planes.frequencies(), narrow);
  CopyValues(planes, narrowed);
  return narrowed;
}

std::vector<CoefficientPlanes> Keep(const std::vector<CoefficientPlanes>& components, const ImageCut& cut) {
  std::vector<CoefficientPlanes> kept;
  for (size_t c = 0; c < components.size(); ++c) {
    FrequencySet narrow;
    for (int z = 0; z < kFrequencies; ++z) {
      if (components[c].IsNarrow(z)) narrow.Insert(z);
    }
    CoefficientPlanes& planes = kept.emplace_back();
    planes.Reset(components[c].grid(), cut.components[c].frequencies(), narrow);
    CopyValues(components[c], planes);
  }
  return kept;
}

ImageCut UniformCut(int side, int diagonal) {
  ImageCut cut;
  for (FrequencyCut& component : cut.components) {
    component = {.side = static_cast<uint8_t>(side), .diagonal = static_cast<uint8_t>(diagonal)};
  }
  return cut;
}

}  // namespace freqstore::testutil

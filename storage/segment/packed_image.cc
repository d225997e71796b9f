#include "storage/segment/packed_image.h"

#include <cassert>
#include <utility>

#include "storage/base/status.h"
#include "storage/codec/bp32_codec.h"

namespace freqstore {
namespace {

const Bp32Codec& Codec() {
  static const Bp32Codec codec(BestSimdLevel());
  return codec;
}

/// Packed columns take about this much of a photo's file.
constexpr double kRunsPerFileByte = 1.6;

}  // namespace

PackedImage PackImage(ImageRecord record, std::span<const CoefficientPlanes> components) {
  assert(components.size() == record.geometry.components.size());
  PackedImage image;
  image.runs.reserve(static_cast<size_t>(static_cast<double>(record.file_bytes) * kRunsPerFileByte));
  image.offsets.reserve(components.size() * kFrequencies + 1);
  std::vector<int16_t> widened;
  for (size_t c = 0; c < components.size(); ++c) {
    const CoefficientPlanes& planes = components[c];
    assert(planes.grid() == record.geometry.components[c].grid &&
           planes.frequencies() == FrequencySet::All());
    for (int z = 0; z < kFrequencies; ++z) {
      image.offsets.push_back(static_cast<uint32_t>(image.runs.size()));
      ImageValues values;
      if (planes.IsNarrow(z)) {
        widened = planes.Values(z);
        values = widened;
      } else {
        values = planes.plane(z);
      }
      Codec().Encode({.frequency = z, .grids = {&planes.grid(), 1}}, {&values, 1}, image.runs);
    }
  }
  image.offsets.push_back(static_cast<uint32_t>(image.runs.size()));
  image.record = std::move(record);
  return image;
}

absl::Status UnpackComponent(const PackedImage& image, size_t component, CoefficientPlanes& out) {
  const BlockGrid& grid = image.record.geometry.components[component].grid;
  const auto run_of = [&](int z) {
    return image.run({static_cast<uint8_t>(component), static_cast<uint16_t>(z)});
  };
  FrequencySet narrow;
  for (int z = 0; z < kFrequencies; ++z) {
    if (Codec().IsNarrow(z, grid, run_of(z))) narrow.Insert(z);
  }
  out.Reset(grid, FrequencySet::All(), narrow);
  for (int z = 0; z < kFrequencies; ++z) {
    RETURN_IF_ERROR(narrow.Contains(z) ? Codec().DecodeNarrowRun(run_of(z), out.narrow_plane(z))
                                       : Codec().DecodeRun(z, grid, run_of(z), out.plane(z)));
  }
  return absl::OkStatus();
}

}  // namespace freqstore

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
constexpr double kRunsPerFileByte = 1.35;

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
      std::span<const int16_t> values;
      if (planes.IsNarrow(z)) {
        widened = planes.Values(z);
        values = widened;
      } else {
        values = planes.plane(z);
      }
      if (Codec().EncodeRun(z, planes.grid(), values, image.runs))
        image.narrow.Insert({static_cast<uint8_t>(c), static_cast<uint16_t>(z)});
    }
  }
  image.offsets.push_back(static_cast<uint32_t>(image.runs.size()));
  image.record = std::move(record);
  return image;
}

absl::Status UnpackComponent(const PackedImage& image, size_t component, CoefficientPlanes& out) {
  const BlockGrid& grid = image.record.geometry.components[component].grid;
  out.Reset(grid, FrequencySet::All(), image.narrow.components[component]);
  for (int z = 0; z < kFrequencies; ++z) {
    const RunView run = image.run({static_cast<uint8_t>(component), static_cast<uint16_t>(z)});
    RETURN_IF_ERROR(run.is_narrow ? Codec().DecodeNarrowRun(run.bytes, out.narrow_plane(z))
                                  : Codec().DecodeRun(z, grid, run.bytes, out.plane(z)));
  }
  return absl::OkStatus();
}

}  // namespace freqstore

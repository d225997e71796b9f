// An image on its way into a segment.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "storage/base/coding.h"
#include "storage/base/coefficient_planes.h"
#include "storage/codec/column.h"
#include "storage/codec/column_codec.h"
#include "storage/segment/image_record.h"

namespace freqstore {

/// All columns of an image as bp32 runs, a fourth of the coefficients' size: images wait in this form until a
/// segment is full, which copies the runs or encodes what is in them.
struct PackedImage {
  ImageRecord record;
  std::string runs;               ///< component by component, frequency by frequency, back to back
  std::vector<uint32_t> offsets;  ///< into runs: components * 64, and the end
  ColumnSet narrow;               ///< columns whose runs are narrow

  RunView run(ColumnId id) const {
    const size_t index = ColumnIndex(id);
    return {.bytes = AsBytes(runs).subspan(offsets[index], offsets[index + 1] - offsets[index]),
            .is_narrow = narrow.Contains(id)};
  }
};

/// `components` has all 64 frequencies of each component of `record.geometry`, with its grids.
PackedImage PackImage(ImageRecord record, std::span<const CoefficientPlanes> components);

/// Decodes a component, as narrow as its runs are. DATA_LOSS (CORRUPT_CHUNK) if a run is damaged.
absl::Status UnpackComponent(const PackedImage& image, size_t component, CoefficientPlanes& out);

}  // namespace freqstore

// A segment's images, as they were before they shared one.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/image_encoder.h"

namespace freqstore {

/// All images of a segment of `snapshot` with all columns and their original files, in its order. They take
/// about what the segment and its files do. Fails as a whole if any part of any image cannot be read.
absl::StatusOr<std::vector<EncodedImage>> ReadSegmentImages(const DatasetSnapshot& snapshot,
                                                            const Part& segment);

}  // namespace freqstore

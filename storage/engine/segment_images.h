// A segment's images, as they were before they shared one.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/image_encoder.h"
#include "storage/engine/segment_commit.h"

namespace freqstore {

struct SegmentImages {
  std::vector<EncodedImage> images;
  std::vector<ImageSource> sources;  ///< an element an image
};

/// Appends the images of a segment of `snapshot` that are not deleted, with all columns and their original
/// files, in its order. They take about what the segment and its files do. Attributes are left to
/// CommitSegment. Fails as a whole if any part of any image cannot be read.
absl::Status ReadSegmentImages(const DatasetSnapshot& snapshot, const Part& segment, SegmentImages& out);

}  // namespace freqstore

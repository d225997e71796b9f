// Whole segments out of single images.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/image_encoder.h"

namespace freqstore {

/// When a segment is full. The figures are the design's.
struct SegmentTarget {
  uint32_t images = 256;
  uint64_t luma_blocks = uint64_t{1} << 20;
};

/// Images share a segment if their components and sampling factors agree: then one column means one thing.
storage::v1::ComponentLayout ComponentLayoutOf(const ImageGeometry& geometry);

/// All coefficients of an image on its way in, one element a component.
absl::StatusOr<std::vector<CoefficientPlanes>> DecodeEncodedImage(const EncodedImage& image);

/// Merges `images`, all of one component layout, into a segment. Holds the coefficients of one substream at a
/// time.
absl::StatusOr<EncodedSegment> BuildSegment(std::span<const EncodedImage> images);

/// Builds, writes and makes visible a segment of `images`, which need not be in the store yet. `batch` is
/// applied in the same atomic step (the columnizer passes the removal of delta rows). Durable on return.
absl::Status CommitSegment(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                           std::span<const EncodedImage> images, KvBatch batch);

}  // namespace freqstore

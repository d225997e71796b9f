// Builds a segment: images in, one chunk a column out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/codec/column.h"
#include "storage/codec/column_codec.h"
#include "storage/codec/layout.h"
#include "storage/segment/image_record.h"
#include "storage/segment/packed_image.h"

namespace freqstore {

struct EncodedColumn {
  ColumnId id;
  CodecId codec = CodecId::kRaw;
  std::string chunk;
  ColumnSet contexts;  ///< the columns that must be decoded first
};

struct EncodedSegment {
  std::vector<ImageRecord> images;
  std::vector<EncodedColumn> columns;  ///< ascending by id
};

struct SegmentOptions {
  Layout layout = Layout::kFast;
  uint32_t images_per_substream = 16;
};

/// Encodes images, in order, as a segment. Only columns that some image has are in it. Holds the coefficients
/// of `images_per_substream` images. DATA_LOSS (CORRUPT_CHUNK) if an image is damaged.
absl::StatusOr<EncodedSegment> EncodeSegment(std::span<const PackedImage* const> images,
                                             const SegmentOptions& options);

/// Collects the images of a segment. Not thread-safe.
class SegmentWriter {
 public:
  explicit SegmentWriter(SegmentOptions options) : options_(options) {}

  void Add(PackedImage image);

  size_t image_count() const { return images_.size(); }
  uint64_t luma_blocks() const { return luma_blocks_; }  ///< blocks of component 0 so far

  /// Ends the segment: EncodeSegment.
  absl::StatusOr<EncodedSegment> Finish();

 private:
  const SegmentOptions options_;
  std::vector<PackedImage> images_;
  uint64_t luma_blocks_ = 0;
};

}  // namespace freqstore

// Which images share a segment.
//
// A query reads whole chunks, and the coder has one k and one statistics a chunk. A segment of images of like
// size is therefore read with one cut, and one of images of like quality is coded with one k. Images of
// different component layouts never share a segment: a column means one thing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/segment/image_record.h"

namespace freqstore {

/// When a segment is full. The figures are the design's.
struct SegmentTarget {
  uint32_t images = 256;
  uint64_t luma_blocks = uint64_t{1} << 20;
  /// Images that fill less than 1/parts_min of a segment are too few for one of their own.
  uint32_t parts_min = 4;
};

/// How much of a segment images fill.
class SegmentFill {
 public:
  explicit SegmentFill(const SegmentTarget& target) : target_(target) {}

  void Add(const ImageRecord& image) { fill_ += ShareOf(image); }
  void Add(const SegmentFill& other) { fill_ += other.fill_; }

  bool full() const { return fill_ >= Whole(); }
  bool small() const { return fill_ * target_.parts_min < Whole(); }

  /// An image takes the share of its count or that of its blocks, whichever is more, of Whole().
  uint64_t ShareOf(const ImageRecord& image) const;
  uint64_t Whole() const { return target_.images * target_.luma_blocks; }
  uint64_t fill() const { return fill_; }

 private:
  SegmentTarget target_;
  uint64_t fill_ = 0;
};

/// What the images of a segment should have in common.
struct ClusterKey {
  std::string components;     ///< colour model and sampling factors
  uint8_t size_class = 0;     ///< half octaves of the shorter side, so that one cover k fits most of a class
  uint8_t quality_class = 0;  ///< 0: below 50, 1: below 75, 2: below 88, 3: below 95, 4: the rest
  friend auto operator<=>(const ClusterKey&, const ClusterKey&) = default;
};

ClusterKey ClusterKeyOf(const ImageRecord& image);

/// 1..100: the estimate, or for a luma quantiser unlike libjpeg's the quality of the libjpeg one with the
/// same mean step.
uint32_t QualityOf(const ImageRecord& image);

/// What the catalog says of a segment's images; there is at least one.
storage::v1::ComponentLayout ComponentLayoutOf(const ImageGeometry& geometry);
storage::v1::Cluster ClusterOf(std::span<const ImageRecord> images);

using ImagePointers = std::span<const ImageRecord* const>;

/// Indices of `images` in the order in which they lie in a segment: by size, then quality, then as they came.
std::vector<size_t> SegmentOrder(ImagePointers images);

/// Partitions images that came without company: the indices of each segment to be, in its order. Every image
/// is in exactly one. Classes that are too few for a segment join others of their component layout, those
/// that lose least by it; what is more than a segment is cut into parts that are equally full. So a segment
/// is small only where its component layout has no more images, or beside images larger than a segment.
std::vector<std::vector<size_t>> PartitionIntoSegments(ImagePointers images, const SegmentTarget& target);

}  // namespace freqstore

// Segments of synthetic images, and whether what comes out of them is right.
#pragma once

#include <string>
#include <vector>

#include "storage/segment/segment_decoder.h"
#include "storage/segment/segment_reader.h"
#include "storage/segment/segment_writer.h"
#include "tests/storage/segment/synthetic_images.h"

namespace freqstore::testutil {

/// `count` of the odd images, again and again.
std::vector<SyntheticImage> MakeOddImages(size_t count);

EncodedSegment WriteSegment(const std::vector<SyntheticImage>& images, SegmentOptions options);

/// Views into `segment`.
std::vector<ChunkView> ViewsOf(const EncodedSegment& segment);

ColumnSet AllColumns();

/// Whether `planes` are the columns of `image` that `columns` asks for.
bool Matches(const SyntheticImage& image, const ColumnSet& columns,
             const std::vector<CoefficientPlanes>& planes);

/// A segment with what it was made of.
struct SampleSegment {
  SampleSegment(std::vector<SyntheticImage> made_of, SegmentOptions options);

  SegmentReader Open(SimdLevel level = BestSimdLevel()) const { return {encoded.images, views, level}; }

  /// A request for each image.
  std::vector<ImageRequest> AllImages(const ColumnSet& columns) const;

  std::vector<SyntheticImage> images;
  EncodedSegment encoded;
  std::vector<ChunkView> views;
};

/// The reason of the answer to each request.
std::vector<std::string> ReasonsOf(const SegmentReader& reader, const std::vector<ImageRequest>& requests);

}  // namespace freqstore::testutil

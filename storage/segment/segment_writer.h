// Builds a segment: images in, one chunk a column out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/base/coefficient_planes.h"
#include "storage/codec/column.h"
#include "storage/codec/column_codec.h"
#include "storage/segment/image_record.h"

namespace freqstore {

struct EncodedColumn {
  ColumnId id;
  CodecId codec = CodecId::kRaw;
  std::string chunk;
  std::vector<ColumnId> contexts;  ///< the columns that must be decoded first; empty for raw and bp32
};

struct EncodedSegment {
  std::vector<ImageRecord> images;
  std::vector<EncodedColumn> columns;  ///< ascending by id
};

struct SegmentOptions {
  CodecId codec = CodecId::kBp32;
  uint32_t images_per_substream = 16;
};

/// Encodes substream by substream, so it holds the coefficients of `images_per_substream` images at the most.
/// Not thread-safe.
class SegmentWriter {
 public:
  explicit SegmentWriter(SegmentOptions options);
  ~SegmentWriter();
  SegmentWriter(const SegmentWriter&) = delete;
  SegmentWriter& operator=(const SegmentWriter&) = delete;

  /// Adds a row. `components` has all 64 frequencies of each component of `record.geometry`, with its grids.
  void Add(ImageRecord record, std::vector<CoefficientPlanes> components);

  size_t image_count() const;
  uint64_t luma_blocks() const;  ///< blocks of component 0 so far

  /// Ends the segment and hands it over. Only columns that some image has are in it.
  EncodedSegment Finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace freqstore

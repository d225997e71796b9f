// What requests of the same columns take. Private to storage/segment.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "storage/codec/column.h"
#include "storage/codec/column_codec.h"
#include "storage/segment/segment_reader.h"

namespace freqstore {

/// Of images with as many components.
struct Projection {
  ColumnSet requested;
  size_t components = 0;
  ColumnSet wanted;  ///< those requested that the images have
  ColumnSet closed;  ///< and all that must be decoded before them
  bool is_sequential = false;
  absl::Status status;  ///< why a column of `closed` cannot be read
};

std::shared_ptr<const Projection> MakeProjection(const SegmentReader& reader, size_t components,
                                                 const ColumnSet& requested);

bool Intersect(const ColumnSet& a, const ColumnSet& b);

}  // namespace freqstore

// What may be wrong with a segment as a whole.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {

inline absl::Status CorruptSegment(uint64_t segment_id, std::string_view what) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_SEGMENT",
                   fmt::format("segment {}: {}", segment_id, what));
}

inline absl::Status SegmentNotFound(uint64_t segment_id) {
  return MakeError(absl::StatusCode::kNotFound, "SEGMENT_NOT_FOUND",
                   fmt::format("segment {} is not there any more", segment_id));
}

}  // namespace freqstore

// The r32 columns of a segment: trained on all its images, then encoded substream by substream.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/codec/column.h"
#include "storage/segment/chunk_format.h"
#include "storage/segment/packed_image.h"

namespace freqstore {

struct R32ColumnContent {
  ColumnId id;
  ChunkContent content;
  ColumnSet contexts;
};

/// Encodes `columns` of `images`, ascending by id, but those that r32 cannot hold (R32Trainer::fits). Holds
/// the coefficients of `images_per_substream` images. DATA_LOSS (CORRUPT_CHUNK) if an image is damaged.
absl::StatusOr<std::vector<R32ColumnContent>> EncodeR32Columns(std::span<const PackedImage* const> images,
                                                               const ColumnSet& columns,
                                                               uint32_t images_per_substream);

}  // namespace freqstore

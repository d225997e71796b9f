// The r32 columns of a segment: trained on all its images, then encoded substream by substream.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/codec/column.h"
#include "storage/segment/packed_image.h"

namespace freqstore {

/// A chunk's content before it has a header.
struct ColumnPayload {
  ColumnId id;
  std::string payload;                      ///< the codec's head, and the substreams
  std::vector<uint32_t> substream_offsets;  ///< into payload
  ColumnSet contexts;
};

/// Encodes `columns` of `images`, ascending by id, but those that r32 cannot hold (R32Trainer::fits). Holds
/// the coefficients of `images_per_substream` images. DATA_LOSS (CORRUPT_CHUNK) if an image is damaged.
absl::StatusOr<std::vector<ColumnPayload>> EncodeR32Columns(std::span<const PackedImage* const> images,
                                                            const ColumnSet& columns,
                                                            uint32_t images_per_substream);

}  // namespace freqstore

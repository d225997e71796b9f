#include "storage/segment/segment_writer.h"

#include <array>
#include <cassert>
#include <utility>

#include "storage/base/status.h"
#include "storage/segment/chunk_format.h"
#include "storage/segment/r32_segment_encoder.h"

namespace freqstore {
namespace {

/// What all columns of a segment have in common.
struct SegmentShape {
  uint32_t images;
  uint32_t images_per_substream;
  std::array<uint64_t, kComponentsMax> blocks{};  ///< by component
};

SegmentShape ShapeOf(std::span<const PackedImage* const> images, uint32_t images_per_substream) {
  SegmentShape shape{.images = static_cast<uint32_t>(images.size()),
                     .images_per_substream = images_per_substream};
  for (const PackedImage* image : images) {
    const auto& components = image->record.geometry.components;
    for (size_t c = 0; c < components.size(); ++c) shape.blocks[c] += components[c].grid.blocks();
  }
  return shape;
}

/// Substreams of bp32 are their images' runs.
ColumnPayload JoinRuns(std::span<const PackedImage* const> images, ColumnId id,
                       uint32_t images_per_substream) {
  ColumnPayload column{.id = id, .payload = {}, .substream_offsets = {}, .contexts = {}};
  const auto has_column = [&](const PackedImage& image) {
    return id.component < image.record.geometry.components.size();
  };
  size_t bytes = 0;
  for (const PackedImage* image : images) bytes += has_column(*image) ? image->run(id).size() : 0;
  column.payload.reserve(bytes);
  for (size_t i = 0; i < images.size(); ++i) {
    if (i % images_per_substream == 0)
      column.substream_offsets.push_back(static_cast<uint32_t>(column.payload.size()));
    if (has_column(*images[i])) column.payload += AsString(images[i]->run(id));
  }
  return column;
}

EncodedColumn Frame(const ColumnPayload& column, CodecId codec, const SegmentShape& shape) {
  const ChunkHeader header{.column = column.id,
                           .codec = codec,
                           .images_per_substream = shape.images_per_substream,
                           .images = shape.images,
                           .values = shape.blocks[column.id.component]};
  return {.id = column.id,
          .codec = codec,
          .chunk = BuildChunk(header, column.substream_offsets, column.payload),
          .contexts = column.contexts};
}

}  // namespace

void SegmentWriter::Add(PackedImage image) {
  luma_blocks_ += image.record.geometry.components.front().grid.blocks();
  images_.push_back(std::move(image));
}

absl::StatusOr<EncodedSegment> SegmentWriter::Finish() {
  std::vector<const PackedImage*> images;
  for (const PackedImage& image : images_) images.push_back(&image);
  absl::StatusOr<EncodedSegment> segment = EncodeSegment(images, options_);
  images_.clear();
  return segment;
}

absl::StatusOr<EncodedSegment> EncodeSegment(std::span<const PackedImage* const> images,
                                             const SegmentOptions& options) {
  const SegmentShape shape = ShapeOf(images, options.images_per_substream);
  ColumnSet r32;
  std::vector<ColumnId> columns;
  for (uint8_t c = 0; c < kComponentsMax && shape.blocks[c] > 0; ++c) {
    for (uint16_t z = 0; z < kFrequencies; ++z) {
      columns.push_back({c, z});
      if (CodecOf(options.layout, columns.back()) == CodecId::kR32) r32.Insert(columns.back());
    }
  }
  ASSIGN_OR_RETURN(const std::vector<ColumnPayload> encoded,
                   EncodeR32Columns(images, r32, options.images_per_substream));
  EncodedSegment segment;
  auto next = encoded.begin();
  for (ColumnId id : columns) {
    const bool is_r32 = next != encoded.end() && next->id == id;
    segment.columns.push_back(
        is_r32 ? Frame(*next++, CodecId::kR32, shape)
               : Frame(JoinRuns(images, id, options.images_per_substream), CodecId::kBp32, shape));
  }
  for (const PackedImage* image : images) segment.images.push_back(image->record);
  return segment;
}

}  // namespace freqstore

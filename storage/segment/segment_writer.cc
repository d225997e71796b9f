#include "storage/segment/segment_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "storage/base/status.h"
#include "storage/codec/run_column.h"
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

ChunkContent JoinRuns(std::span<const PackedImage* const> images, ColumnId id,
                      uint32_t images_per_substream) {
  ChunkContent content;
  for (size_t first = 0; first < images.size(); first += images_per_substream) {
    std::vector<RunView> runs;
    for (size_t i = first; i < std::min<size_t>(first + images_per_substream, images.size()); ++i) {
      const bool has_column = id.component < images[i]->record.geometry.components.size();
      runs.push_back(has_column ? images[i]->run(id) : RunView{});
    }
    AppendRunSubstream(runs, content.substreams);
    content.substream_ends.push_back(static_cast<uint32_t>(content.substreams.size()));
  }
  return content;
}

EncodedColumn Frame(ColumnId id, CodecId codec, const ChunkContent& content, const ColumnSet& contexts,
                    const SegmentShape& shape) {
  const ChunkHeader header{.column = id,
                           .codec = codec,
                           .images_per_substream = shape.images_per_substream,
                           .images = shape.images,
                           .values = shape.blocks[id.component]};
  return {.id = id, .codec = codec, .chunk = BuildChunk(header, content), .contexts = contexts};
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
  ASSIGN_OR_RETURN(const std::vector<R32ColumnContent> encoded,
                   EncodeR32Columns(images, r32, options.images_per_substream));
  EncodedSegment segment;
  auto next = encoded.begin();
  for (ColumnId id : columns) {
    if (next != encoded.end() && next->id == id) {
      segment.columns.push_back(Frame(id, CodecId::kR32, next->content, next->contexts, shape));
      ++next;
    } else {
      const ChunkContent runs = JoinRuns(images, id, options.images_per_substream);
      segment.columns.push_back(Frame(id, CodecId::kBp32, runs, {}, shape));
    }
  }
  for (const PackedImage* image : images) segment.images.push_back(image->record);
  return segment;
}

}  // namespace freqstore

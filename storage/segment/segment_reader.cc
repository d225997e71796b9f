#include "storage/segment/segment_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/codec/column_codec.h"
#include "storage/segment/chunk_format.h"

namespace freqstore {
namespace {

constexpr size_t kColumnsMax = size_t{kComponentsMax} * kFrequencies;
constexpr uint16_t kNoChunk = std::numeric_limits<uint16_t>::max();

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", message);
}

bool IsValid(ColumnId id) {
  return id.component < kComponentsMax && id.frequency < kFrequencies;
}

size_t IndexOf(ColumnId id) {
  return size_t{id.component} * kFrequencies + id.frequency;
}

std::string NameOf(ColumnId id) {
  return fmt::format("component {}, frequency {}", id.component, id.frequency);
}

/// The grids of one component, one an image; empty where an image lacks the component.
std::vector<BlockGrid> GridsOf(std::span<const ImageRecord> images, size_t component) {
  std::vector<BlockGrid> grids;
  grids.reserve(images.size());
  for (const ImageRecord& image : images) {
    const auto& components = image.geometry.components;
    grids.push_back(component < components.size() ? components[component].grid : BlockGrid{});
  }
  return grids;
}

/// A chunk with the place of each image's run in it.
struct OpenChunk {
  absl::Status status;
  const ColumnCodec* codec = nullptr;
  Bytes payload;
  std::vector<uint32_t> run_offsets;  ///< into payload; one more than there are images

  Bytes Run(size_t ordinal) const {
    return payload.subspan(run_offsets[ordinal], run_offsets[ordinal + 1] - run_offsets[ordinal]);
  }
};

absl::Status LocateRuns(const ParsedChunk& parsed, std::span<const BlockGrid> grids, OpenChunk& chunk) {
  const size_t images_per_substream = parsed.header.images_per_substream;
  chunk.run_offsets.assign(grids.size() + 1, static_cast<uint32_t>(parsed.payload.size()));
  for (size_t s = 0; s + 1 < parsed.substream_offsets.size(); ++s) {
    const uint32_t begin = parsed.substream_offsets[s];
    const uint32_t end = parsed.substream_offsets[s + 1];
    const size_t first = s * images_per_substream;
    const size_t count = std::min(images_per_substream, grids.size() - first);
    const SubstreamShape shape{.frequency = parsed.header.column.frequency,
                               .grids = grids.subspan(first, count)};
    const std::span<uint32_t> offsets = std::span(chunk.run_offsets).subspan(first, count + 1);
    RETURN_IF_ERROR(chunk.codec->LocateRuns(shape, parsed.payload.subspan(begin, end - begin), offsets));
    for (uint32_t& offset : offsets) offset += begin;
  }
  return absl::OkStatus();
}

absl::Status Open(const ChunkView& view, std::span<const BlockGrid> grids, OpenChunk& chunk) {
  ASSIGN_OR_RETURN(const ParsedChunk parsed, ParseChunk(view.bytes));
  if (parsed.header.column != view.id) return Corrupt("the chunk is of another column");
  if (parsed.header.images != grids.size()) return Corrupt("the chunk is of another number of images");
  if (parsed.header.values != SubstreamShape{.frequency = 0, .grids = grids}.values()) {
    return Corrupt("the chunk's values are not as many as the images have blocks");
  }
  ASSIGN_OR_RETURN(chunk.codec, FindCodec(parsed.header.codec));
  chunk.payload = parsed.payload;
  return LocateRuns(parsed, grids, chunk);
}

}  // namespace

class SegmentReader::Impl {
 public:
  Impl(std::span<const ImageRecord> images, std::span<const ChunkView> views) : images_(images) {
    chunk_of_column_.fill(kNoChunk);
    std::array<std::vector<BlockGrid>, kComponentsMax> grids;
    for (const ChunkView& view : views) {
      if (!IsValid(view.id) || chunk_of_column_[IndexOf(view.id)] != kNoChunk) continue;
      std::vector<BlockGrid>& component_grids = grids[view.id.component];
      if (component_grids.empty()) component_grids = GridsOf(images, view.id.component);
      chunk_of_column_[IndexOf(view.id)] = static_cast<uint16_t>(chunks_.size());
      OpenChunk& chunk = chunks_.emplace_back();
      chunk.status = Annotate(Open(view, component_grids, chunk), NameOf(view.id));
    }
  }

  std::span<const ImageRecord> images() const { return images_; }

  absl::Status DecodeComponent(size_t ordinal, size_t component, FrequencySet frequencies,
                               CoefficientPlanes& planes) const {
    // All chunks are looked at before memory is taken for any.
    for (uint64_t bits = frequencies.bits(); bits != 0; bits &= bits - 1) {
      RETURN_IF_ERROR(CheckChunk(FirstColumn(component, bits)));
    }
    planes.Reset(images_[ordinal].geometry.components[component].grid, frequencies);
    for (uint64_t bits = frequencies.bits(); bits != 0; bits &= bits - 1) {
      const ColumnId id = FirstColumn(component, bits);
      const OpenChunk& chunk = chunks_[chunk_of_column_[IndexOf(id)]];
      RETURN_IF_ERROR(chunk.codec->DecodeRun(id.frequency, planes.grid(), chunk.Run(ordinal),
                                             planes.plane(id.frequency)));
    }
    return absl::OkStatus();
  }

 private:
  /// The column of the lowest frequency in `bits`, which has one.
  static ColumnId FirstColumn(size_t component, uint64_t bits) {
    return {static_cast<uint8_t>(component), static_cast<uint16_t>(std::countr_zero(bits))};
  }

  absl::Status CheckChunk(ColumnId id) const {
    const uint16_t index = chunk_of_column_[IndexOf(id)];
    if (index != kNoChunk) return chunks_[index].status;
    return MakeError(absl::StatusCode::kInternal, "MISSING_CHUNK",
                     fmt::format("{}: the chunk was not given to the reader", NameOf(id)));
  }

  std::span<const ImageRecord> images_;
  std::vector<OpenChunk> chunks_;
  std::array<uint16_t, kColumnsMax> chunk_of_column_;  ///< index into chunks_, or kNoChunk
};

SegmentReader::SegmentReader(std::span<const ImageRecord> images, std::span<const ChunkView> chunks)
    : impl_(std::make_unique<Impl>(images, chunks)) {}
SegmentReader::~SegmentReader() = default;
SegmentReader::SegmentReader(SegmentReader&&) noexcept = default;
SegmentReader& SegmentReader::operator=(SegmentReader&&) noexcept = default;

std::span<const ImageRecord> SegmentReader::images() const {
  return impl_->images();
}

absl::Status SegmentReader::DecodeImage(size_t ordinal, const ColumnSet& columns,
                                        std::vector<CoefficientPlanes>& out) const {
  if (ordinal >= images().size()) {
    return MakeError(absl::StatusCode::kInternal, "ORDINAL_OUT_OF_RANGE",
                     fmt::format("image {} of a segment of {}", ordinal, images().size()));
  }
  const size_t components = images()[ordinal].geometry.components.size();
  out.resize(components);
  for (size_t c = 0; c < components; ++c) {
    RETURN_IF_ERROR(impl_->DecodeComponent(ordinal, c, columns.components[c], out[c]));
  }
  return absl::OkStatus();
}

}  // namespace freqstore

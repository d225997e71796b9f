#include "storage/segment/segment_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/codec/column_codec.h"
#include "storage/segment/chunk_format.h"
#include "storage/segment/segment_decoder.h"

namespace freqstore {
namespace {

constexpr uint16_t kNoChunk = std::numeric_limits<uint16_t>::max();

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", message);
}

bool IsValid(ColumnId id) {
  return id.component < kComponentsMax && id.frequency < kFrequencies;
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

/// What a decoder looks at lives here.
struct OpenChunk {
  absl::Status status;
  std::optional<ParsedChunk> parsed;
  std::unique_ptr<const ColumnDecoder> decoder;
};

uint64_t BlocksOf(std::span<const BlockGrid> grids) {
  uint64_t blocks = 0;
  for (const BlockGrid& grid : grids) blocks += grid.blocks();
  return blocks;
}

/// The grids of one component, and their blocks together.
struct ComponentGrids {
  std::vector<BlockGrid> grids;
  uint64_t blocks = 0;
};

absl::Status Open(const ChunkView& view, const ComponentGrids& component, SimdLevel level, OpenChunk& chunk) {
  ASSIGN_OR_RETURN(chunk.parsed, ParsedChunk::Parse(view.bytes));
  const ChunkHeader& header = chunk.parsed->header();
  if (header.column != view.id) return Corrupt("the chunk is of another column");
  if (header.images != component.grids.size()) return Corrupt("the chunk is of another number of images");
  if (header.values != component.blocks)
    return Corrupt("the chunk's values are not as many as the images have blocks");
  ASSIGN_OR_RETURN(const ColumnCodec* codec, FindCodec(header.codec, level));
  ASSIGN_OR_RETURN(chunk.decoder,
                   codec->Open({.id = view.id, .grids = component.grids, .head = chunk.parsed->head()}));
  return absl::OkStatus();
}

}  // namespace

class SegmentReader::Impl {
 public:
  Impl(std::span<const ImageRecord> images, std::span<const ChunkView> views, SimdLevel level)
      : images_(images), level_(level) {
    chunk_of_column_.fill(kNoChunk);
    chunks_.reserve(views.size());  // decoders look at their chunks
    for (const ChunkView& view : views) {
      if (!IsValid(view.id) || chunk_of_column_[ColumnIndex(view.id)] != kNoChunk) continue;
      ComponentGrids& component = components_[view.id.component];
      if (component.grids.empty()) {
        component.grids = GridsOf(images, view.id.component);
        component.blocks = BlocksOf(component.grids);
      }
      chunk_of_column_[ColumnIndex(view.id)] = static_cast<uint16_t>(chunks_.size());
      OpenChunk& chunk = chunks_.emplace_back();
      chunk.status = Annotate(Open(view, component, level, chunk), NameOf(view.id));
      if (chunk.status.ok()) chunk.status = AgreeOnSubstreams(chunk);
    }
  }

  std::span<const ImageRecord> images() const { return images_; }
  SimdLevel level() const { return level_; }
  size_t images_per_substream() const { return std::max<size_t>(1, images_per_substream_); }

  absl::Status StartSubstream(ColumnId id, size_t substream, ColumnCursor& cursor) const {
    const OpenChunk& chunk = chunks_[chunk_of_column_[ColumnIndex(id)]];
    const auto start = [&]() -> absl::Status {
      ASSIGN_OR_RETURN(const Bytes bytes, chunk.parsed->Substream(substream));
      const size_t first_image = substream * images_per_substream_;
      const size_t count = std::min(images_per_substream_, images_.size() - first_image);
      return chunk.decoder->StartSubstream(bytes, first_image, count, cursor);
    };
    const absl::Status status = start();
    return status.ok() ? status : Annotate(status, NameOf(id));
  }

  absl::StatusOr<const ColumnDecoder*> FindColumn(ColumnId id) const {
    const uint16_t index = IsValid(id) ? chunk_of_column_[ColumnIndex(id)] : kNoChunk;
    if (index == kNoChunk) {
      return MakeError(absl::StatusCode::kInternal, "MISSING_CHUNK",
                       fmt::format("{}: the chunk was not given to the reader", NameOf(id)));
    }
    RETURN_IF_ERROR(chunks_[index].status);
    return chunks_[index].decoder.get();
  }

  ColumnSet Close(const ColumnSet& columns) const {
    ColumnSet closed = columns;
    // Contexts are of lower frequencies or components: from the last column on, one pass finds all.
    for (size_t c = kComponentsMax; c-- > 0;) {
      for (int z = kFrequencies; z-- > 0;) {
        if (!closed.components[c].Contains(z)) continue;
        const auto decoder = FindColumn({static_cast<uint8_t>(c), static_cast<uint16_t>(z)});
        if (decoder.ok()) closed |= (*decoder)->contexts();
      }
    }
    return closed;
  }

 private:
  absl::Status AgreeOnSubstreams(const OpenChunk& chunk) {
    const size_t images = chunk.parsed->header().images_per_substream;
    if (images_per_substream_ == 0) images_per_substream_ = images;
    return images == images_per_substream_ ? absl::OkStatus()
                                           : Corrupt("the chunk's substreams are not those of the others");
  }

  const std::span<const ImageRecord> images_;
  const SimdLevel level_;
  size_t images_per_substream_ = 0;
  std::array<ComponentGrids, kComponentsMax> components_;
  std::vector<OpenChunk> chunks_;
  std::array<uint16_t, kColumnsMax> chunk_of_column_;  ///< index into chunks_, or kNoChunk
};

SegmentReader::SegmentReader(std::span<const ImageRecord> images, std::span<const ChunkView> chunks,
                             SimdLevel level)
    : impl_(std::make_unique<Impl>(images, chunks, level)) {}
SegmentReader::~SegmentReader() = default;
SegmentReader::SegmentReader(SegmentReader&&) noexcept = default;
SegmentReader& SegmentReader::operator=(SegmentReader&&) noexcept = default;

std::span<const ImageRecord> SegmentReader::images() const {
  return impl_->images();
}

SimdLevel SegmentReader::level() const {
  return impl_->level();
}

absl::StatusOr<const ColumnDecoder*> SegmentReader::FindColumn(ColumnId id) const {
  return impl_->FindColumn(id);
}

size_t SegmentReader::images_per_substream() const {
  return impl_->images_per_substream();
}

absl::Status SegmentReader::StartSubstream(ColumnId id, size_t substream, ColumnCursor& cursor) const {
  return impl_->StartSubstream(id, substream, cursor);
}

ColumnSet SegmentReader::Close(const ColumnSet& columns) const {
  return impl_->Close(columns);
}

absl::Status SegmentReader::DecodeImage(size_t ordinal, const ColumnSet& columns,
                                        std::vector<CoefficientPlanes>& out) const {
  SegmentDecoder decoder(level());
  absl::Status result;
  const ImageRequest request{ordinal, columns};
  decoder.Decode(*this, {&request, 1},
                 [&](size_t, const absl::Status& status, std::vector<CoefficientPlanes>& planes) {
                   result = status;
                   std::swap(out, planes);
                 });
  return result;
}

}  // namespace freqstore

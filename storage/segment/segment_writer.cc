#include "storage/segment/segment_writer.h"

#include <array>
#include <cassert>
#include <utility>

#include "storage/segment/chunk_format.h"

namespace freqstore {
namespace {

/// A column under construction.
struct ColumnBuilder {
  std::string payload;
  std::vector<uint32_t> substream_offsets;
};

}  // namespace

class SegmentWriter::Impl {
 public:
  explicit Impl(SegmentOptions options) : options_(options), codec_(FindCodec(options.codec).value()) {
    assert(options.images_per_substream > 0);
  }

  void Add(ImageRecord record, std::vector<CoefficientPlanes> components) {
    assert(components.size() == record.geometry.components.size() && components.size() <= kComponentsMax);
    for (size_t c = 0; c < components.size(); ++c) {
      assert(components[c].grid() == record.geometry.components[c].grid);
      assert(components[c].frequencies() == FrequencySet::All());
      blocks_[c] += components[c].grid().blocks();
    }
    images_.push_back(std::move(record));
    pending_.push_back(std::move(components));
    if (pending_.size() == options_.images_per_substream) Flush();
  }

  size_t image_count() const { return images_.size(); }
  uint64_t luma_blocks() const { return blocks_[0]; }

  EncodedSegment Finish() {
    if (!pending_.empty()) Flush();
    EncodedSegment segment;
    for (uint8_t c = 0; c < kComponentsMax && blocks_[c] > 0; ++c) {
      for (uint16_t z = 0; z < kFrequencies; ++z) segment.columns.push_back(FinishColumn({c, z}));
    }
    segment.images = std::move(images_);
    return segment;
  }

 private:
  /// Encodes the pending images as one substream of each column. A component that no image has had yet gets
  /// empty substreams, so that it may come later.
  void Flush() {
    std::vector<BlockGrid> grids(pending_.size());
    std::vector<ImageValues> values(pending_.size());
    for (size_t c = 0; c < kComponentsMax; ++c) {
      for (size_t i = 0; i < pending_.size(); ++i) {
        grids[i] = c < pending_[i].size() ? pending_[i][c].grid() : BlockGrid{};
      }
      for (int z = 0; z < kFrequencies; ++z) {
        for (size_t i = 0; i < pending_.size(); ++i) {
          values[i] = c < pending_[i].size() ? std::as_const(pending_[i][c]).plane(z) : ImageValues{};
        }
        ColumnBuilder& builder = builders_[c][static_cast<size_t>(z)];
        builder.substream_offsets.push_back(static_cast<uint32_t>(builder.payload.size()));
        codec_->Encode({.frequency = z, .grids = grids}, values, builder.payload);
      }
    }
    pending_.clear();
  }

  EncodedColumn FinishColumn(ColumnId id) {
    const ColumnBuilder builder = std::exchange(builders_[id.component][id.frequency], {});
    const ChunkHeader header{.column = id,
                             .codec = options_.codec,
                             .images_per_substream = options_.images_per_substream,
                             .images = static_cast<uint32_t>(images_.size()),
                             .values = blocks_[id.component]};
    return {.id = id,
            .codec = options_.codec,
            .chunk = BuildChunk(header, builder.substream_offsets, builder.payload),
            .contexts = {}};
  }

  const SegmentOptions options_;
  const ColumnCodec* const codec_;
  std::vector<ImageRecord> images_;
  std::vector<std::vector<CoefficientPlanes>> pending_;  ///< of the substream being filled
  std::array<uint64_t, kComponentsMax> blocks_{};        ///< so far, by component
  std::array<std::array<ColumnBuilder, kFrequencies>, kComponentsMax> builders_;
};

SegmentWriter::SegmentWriter(SegmentOptions options) : impl_(std::make_unique<Impl>(options)) {}
SegmentWriter::~SegmentWriter() = default;

void SegmentWriter::Add(ImageRecord record, std::vector<CoefficientPlanes> components) {
  impl_->Add(std::move(record), std::move(components));
}

size_t SegmentWriter::image_count() const {
  return impl_->image_count();
}

uint64_t SegmentWriter::luma_blocks() const {
  return impl_->luma_blocks();
}

EncodedSegment SegmentWriter::Finish() {
  return impl_->Finish();
}

}  // namespace freqstore

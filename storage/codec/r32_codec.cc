#include "storage/codec/r32_codec.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "fmt/format.h"
#include "storage/base/scratch_buffer.h"
#include "storage/base/status.h"
#include "storage/codec/bp32_kernels.h"
#include "storage/codec/r32_model.h"

namespace freqstore {
namespace {

constexpr size_t kStateBytes = kR32Lanes * sizeof(uint32_t);
constexpr size_t kWordBytes = sizeof(uint16_t);

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", message);
}

class R32ColumnDecoder final : public ColumnDecoder {
 public:
  R32ColumnDecoder(const ColumnData& data, R32Model model, SimdLevel level)
      : data_(data),
        model_(model),
        kernels_(GetR32Kernels(level)),
        undo_prediction_(GetBp32Kernels(level).undo_prediction) {
    tables_.Reserve(kernels_.table_bytes(model_));
    kernels_.prepare(model_, tables_.data());
  }

  ColumnSet contexts() const override { return R32ContextColumns(data_.id, model_); }
  bool sequential() const override { return true; }
  bool IsNarrow(size_t, const ColumnCursor&) const override { return model_.narrow(); }

  absl::Status StartSubstream(Bytes bytes, size_t, size_t, ColumnCursor& cursor) const override {
    cursor.all_zero = bytes.empty();
    if (cursor.all_zero) return absl::OkStatus();
    if (bytes.size() < kStateBytes || bytes.size() % kWordBytes != 0)
      return Corrupt("r32: a substream has no whole number of words");
    R32Stream& stream = cursor.stream;
    for (size_t i = 0; i < kR32Lanes; ++i) {
      std::memcpy(&stream.low[i], bytes.data() + i * sizeof(uint32_t), sizeof(uint16_t));
      std::memcpy(&stream.high[i], bytes.data() + i * sizeof(uint32_t) + sizeof(uint16_t), sizeof(uint16_t));
      if (stream.high[i] == 0) return Corrupt("r32: a state is out of range");
    }
    stream.words = bytes.data() + kStateBytes;
    stream.next = 0;
    stream.end = (bytes.size() - kStateBytes) / kWordBytes;
    return absl::OkStatus();
  }

  absl::Status FinishSubstream(const ColumnCursor& cursor) const override {
    if (cursor.all_zero) return absl::OkStatus();
    bool is_end = cursor.stream.next == cursor.stream.end;
    for (size_t i = 0; i < kR32Lanes; ++i)
      is_end = is_end && cursor.stream.high[i] == 1 && cursor.stream.low[i] == 0;
    return is_end ? absl::OkStatus() : Corrupt("r32: a substream does not end where its images do");
  }

  void Decode(std::span<DecodeTarget> targets) const override {
    assert(targets.size() <= kTargetsMax);
    std::array<R32Image, kTargetsMax> images;
    std::array<R32Strand, kR32StrandsMax> strands;
    size_t image_count = 0;
    size_t strand_count = 0;
    for (DecodeTarget& target : targets) {
      R32Image& image = images[image_count];
      image = ImageOf(target);
      if (target.cursor->all_zero) {
        Clear(image);
        continue;
      }
      ++image_count;
      if (strand_count == 0 || strands[strand_count - 1].stream != &target.cursor->stream)
        strands[strand_count++] = {.stream = &target.cursor->stream, .images = &image, .count = 0};
      ++strands[strand_count - 1].count;
    }
    const R32Column column{.model = &model_, .tables = tables_.data(), .is_dc = data_.id.frequency == 0};
    if (strand_count > 0) kernels_.decode(column, strands.data(), strand_count);
    for (DecodeTarget& target : targets) Finish(target);
  }

 private:
  R32Image ImageOf(const DecodeTarget& target) const {
    const int z = data_.id.frequency;
    const BlockGrid& grid = data_.grids[target.image];
    const ContextPlanes::Column memory = target.contexts->Memory(z);
    R32Image image{
        .blocks = static_cast<size_t>(grid.blocks()), .width_blocks = grid.width_blocks, .references = {}};
    image.references = target.contexts->Find(model_, z, target.contexts_of_previous);
    if (model_.narrow()) {
      image.narrow = target.planes->narrow_plane(z).data();
    } else {
      image.wide = target.planes->plane(z).data();
      image.context = memory.clamped;
    }
    image.counts = memory.counts;
    image.occupied = target.contexts->occupied();
    return image;
  }

  void Clear(const R32Image& image) const {
    if (image.narrow != nullptr) std::memset(image.narrow, 0, image.blocks);
    if (image.wide != nullptr) std::memset(image.wide, 0, image.blocks * sizeof(int16_t));
    if (image.context != nullptr) std::memset(image.context, 0, image.blocks);
    std::memset(image.counts, 0, (image.blocks + kR32Lanes - 1) / kR32Lanes);
  }

  void Finish(DecodeTarget& target) const {
    target.status = absl::OkStatus();
    if (!target.cursor->all_zero && target.cursor->stream.next > target.cursor->stream.end) {
      target.status = Corrupt("r32: the words of a substream do not suffice");
      return;
    }
    const int z = data_.id.frequency;
    if (z != 0) {
      target.contexts->SetKnown(z);
      return;
    }
    const BlockGrid& grid = data_.grids[target.image];
    undo_prediction_(target.planes->plane(0).data(), grid.width_blocks, grid.height_blocks);
  }

  const ColumnData data_;
  const R32Model model_;
  const R32Kernels& kernels_;
  void (*const undo_prediction_)(int16_t* values, size_t width_blocks, size_t height_blocks);
  ScratchBuffer<uint8_t> tables_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<const ColumnDecoder>> R32Codec::Open(const ColumnData& data) const {
  ASSIGN_OR_RETURN(const R32Model model, ParseR32Model(data.id, data.head));
  return std::make_unique<R32ColumnDecoder>(data, model, level_);
}

}  // namespace freqstore

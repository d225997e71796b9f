#include "tests/storage/codec/r32_workbench.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "storage/base/status.h"
#include "storage/codec/bp32_kernels.h"
#include "storage/codec/column_codec.h"
#include "storage/codec/context_planes.h"
#include "storage/codec/r32_encoder.h"

namespace freqstore::testutil {
namespace {

constexpr size_t kImagesAtOnce = 3;

/// Half of them 0, some beyond a byte.
int16_t MadeUpValue(size_t image, int zigzag, size_t block) {
  uint32_t mixed =
      static_cast<uint32_t>(image * 977 + static_cast<size_t>(zigzag) * 131 + block) * 2654435761u;
  mixed ^= mixed >> 15;
  if (mixed % 2 == 0) return 0;
  return static_cast<int16_t>(static_cast<int16_t>(mixed >> 4) >> (mixed >> 20) % 16);
}

void FillPlane(size_t image, int zigzag, CoefficientPlanes& planes) {
  size_t block = 0;
  if (planes.IsNarrow(zigzag)) {
    for (int8_t& value : planes.narrow_plane(zigzag))
      value = static_cast<int8_t>(MadeUpValue(image, zigzag, block++));
  } else {
    for (int16_t& value : planes.plane(zigzag)) value = MadeUpValue(image, zigzag, block++);
  }
}

/// FORMAT.md, "DC".
std::vector<int16_t> ResidualsOf(const std::vector<int16_t>& dc, size_t width) {
  std::vector<int16_t> residuals(dc.size());
  for (size_t i = 0; i < dc.size(); ++i) {
    const int predicted = i % width != 0 ? dc[i - 1] : i > 0 ? dc[i - width] : 0;
    residuals[i] = static_cast<int16_t>(dc[i] - predicted);
  }
  return residuals;
}

}  // namespace

R32Workbench::R32Workbench(ColumnId id, std::vector<BlockGrid> grids) : id_(id), grids_(std::move(grids)) {}

R32Workbench::Image R32Workbench::MakeImage(size_t index, const ColumnSet& contexts, bool is_narrow) const {
  const int z = id_.frequency;
  const uint64_t own = uint64_t{1} << z;
  const uint64_t below = contexts.components[id_.component].bits();
  uint64_t narrow = below & 0xaaaaaaaaaaaaaaaa;  // the odd ones
  if (is_narrow) narrow |= own;
  Image image;
  image.planes.Reset(grids_[index], FrequencySet(own | below), FrequencySet(narrow));
  for (int lower = 0; lower < z; ++lower) {
    if (image.planes.frequencies().Contains(lower)) FillPlane(index, lower, image.planes);
  }
  image.has_previous = index % 2 == 0;
  if (!image.has_previous) return image;
  image.previous.Reset(grids_[index], FrequencySet(own));
  FillPlane(index + grids_.size(), z, image.previous);
  return image;
}

std::string R32Workbench::Encode(SimdLevel level, const R32Model& model, const ColumnValues& values) const {
  const int z = id_.frequency;
  std::deque<Image> images;
  std::deque<ContextPlanes> contexts;
  std::vector<R32Image> views;
  for (size_t i = 0; i < grids_.size(); ++i) {
    if (grids_[i].blocks() == 0) {
      views.emplace_back();
      continue;
    }
    Image& image = images.emplace_back(MakeImage(i, R32ContextColumns(id_, model), model.narrow()));
    const std::vector<int16_t> coded = z == 0 ? ResidualsOf(values[i], grids_[i].width_blocks) : values[i];
    if (model.narrow()) {
      std::transform(coded.begin(), coded.end(), image.planes.narrow_plane(z).begin(),
                     [](int16_t value) { return static_cast<int8_t>(value); });
    } else {
      std::copy(coded.begin(), coded.end(), image.planes.plane(z).begin());
    }
    ContextPlanes& own = contexts.emplace_back(level);
    own.Reset(image.planes);
    ContextPlanes* previous = nullptr;
    if (image.has_previous) {
      previous = &contexts.emplace_back(level);
      previous->Reset(image.previous);
    }
    R32Image& view = views.emplace_back();
    view.blocks = static_cast<size_t>(grids_[i].blocks());
    view.width_blocks = grids_[i].width_blocks;
    view.references = own.Find(model, z, previous);
    const ContextPlanes::Column column = own.Get(z);
    view.narrow = model.narrow() ? column.clamped : nullptr;
    view.wide = model.narrow() ? nullptr : image.planes.plane(z).data();
    view.context = column.clamped;
    view.counts = column.counts;
  }
  R32EncodeScratch scratch;
  std::string substream;
  R32Encoder(id_, model, level).Append(views, scratch, substream);
  return substream;
}

absl::StatusOr<ColumnValues> R32Workbench::Decode(SimdLevel level, Bytes payload, size_t head_bytes,
                                                  DecodeStage& stage) const {
  stage = DecodeStage::kOpen;
  ASSIGN_OR_RETURN(const ColumnCodec* codec, FindCodec(CodecId::kR32, level));
  ASSIGN_OR_RETURN(const auto decoder,
                   codec->Open({.id = id_, .grids = grids_, .head = payload.first(head_bytes)}));
  stage = DecodeStage::kStart;
  ColumnCursor cursor;
  RETURN_IF_ERROR(decoder->StartSubstream(payload.subspan(head_bytes), 0, grids_.size(), cursor));
  std::deque<Image> images;
  std::deque<ContextPlanes> contexts;
  std::vector<DecodeTarget> targets;
  for (size_t i = 0; i < grids_.size(); ++i) {
    Image& image = images.emplace_back(MakeImage(i, decoder->contexts(), decoder->IsNarrow(i, cursor)));
    if (grids_[i].blocks() == 0) continue;
    DecodeTarget& target = targets.emplace_back();
    target.image = i;
    target.planes = &image.planes;
    target.contexts = &contexts.emplace_back(level);
    target.contexts->Reset(image.planes);
    if (image.has_previous) {
      target.contexts_of_previous = &contexts.emplace_back(level);
      target.contexts_of_previous->Reset(image.previous);
    }
    target.cursor = &cursor;
  }
  stage = DecodeStage::kDecode;
  for (size_t first = 0; first < targets.size(); first += kImagesAtOnce) {
    const auto some = std::span(targets).subspan(first, std::min(kImagesAtOnce, targets.size() - first));
    decoder->Decode(some);
    for (const DecodeTarget& target : some) RETURN_IF_ERROR(target.status);
  }
  stage = DecodeStage::kFinish;
  RETURN_IF_ERROR(decoder->FinishSubstream(cursor));
  ColumnValues values;
  for (const Image& image : images) values.push_back(image.planes.Values(id_.frequency));
  return values;
}

}  // namespace freqstore::testutil

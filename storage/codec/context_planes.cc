#include "storage/codec/context_planes.h"

#include <cassert>
#include <cstring>

namespace freqstore {
namespace {

constexpr size_t kLine = 64;

/// Room for `count` bytes and slack, a whole number of lines but not of pages (CoefficientPlanes).
size_t Stride(size_t count) {
  const size_t bytes = (count + CoefficientPlanes::kSlackValues + kLine - 1) / kLine * kLine;
  return bytes % 4096 == 0 ? bytes + kLine : bytes;
}

}  // namespace

void ContextPlanes::Reset(CoefficientPlanes& planes) {
  planes_ = &planes;
  known_ = 0;
  gradients_known_ = false;
  const auto blocks = static_cast<size_t>(planes.grid().blocks());
  const size_t groups = (blocks + kR32Lanes - 1) / kR32Lanes;
  stride_ = Stride(blocks);
  counts_stride_ = Stride(groups);
  clamped_.ReserveUnset(kColumns * stride_);
  counts_.ReserveUnset(kColumns * counts_stride_);
  occupied_.ReserveUnset(groups + kR32Lanes);
}

ContextPlanes::Column ContextPlanes::MemoryOf(int index) {
  const auto i = static_cast<size_t>(index);
  return {clamped_.data() + i * stride_, counts_.data() + i * counts_stride_};
}

ContextPlanes::Column ContextPlanes::Memory(int zigzag) {
  Column column = MemoryOf(zigzag);
  if (planes_->IsNarrow(zigzag)) column.clamped = planes_->narrow_plane(zigzag).data();
  return column;
}

ContextPlanes::Column ContextPlanes::Get(int zigzag) {
  assert(planes_->frequencies().Contains(zigzag));
  const Column column = Memory(zigzag);
  if ((known_ >> zigzag & 1) != 0) return column;
  const auto blocks = static_cast<size_t>(planes_->grid().blocks());
  if (!planes_->IsNarrow(zigzag)) kernels_->clamp(planes_->plane(zigzag).data(), blocks, column.clamped);
  kernels_->count(column.clamped, blocks, column.counts);
  SetKnown(zigzag);
  return column;
}

ContextPlanes::Column ContextPlanes::GradientOf(int index) {
  if (!gradients_known_) {
    const BlockGrid& grid = planes_->grid();
    const auto blocks = static_cast<size_t>(grid.blocks());
    const Column horizontal = MemoryOf(kHorizontal);
    const Column vertical = MemoryOf(kVertical);
    kernels_->gradients(planes_->plane(0).data(), grid.width_blocks, grid.height_blocks, horizontal.clamped,
                        vertical.clamped);
    kernels_->count(horizontal.clamped, blocks, horizontal.counts);
    kernels_->count(vertical.clamped, blocks, vertical.counts);
    gradients_known_ = true;
  }
  return MemoryOf(index);
}

R32References ContextPlanes::Find(const R32Model& model, int zigzag, ContextPlanes* previous) {
  R32References found;
  for (size_t r = 0; r < model.reference_count; ++r) {
    Column column;
    switch (model.references[r].kind) {
      case R32Reference::Kind::kFrequency:
        column = Get(model.references[r].frequency);
        break;
      case R32Reference::Kind::kHorizontal:
        column = GradientOf(kHorizontal);
        break;
      case R32Reference::Kind::kVertical:
        column = GradientOf(kVertical);
        break;
      case R32Reference::Kind::kComponent:
        if (previous != nullptr) {
          column = previous->Get(zigzag);
        } else {
          column = MemoryOf(kNone);
          std::memset(column.clamped, 0, stride_);
          std::memset(column.counts, 0, counts_stride_);
        }
        break;
    }
    found.planes[r] = column.clamped;
    found.counts[r] = column.counts;
  }
  return found;
}

}  // namespace freqstore

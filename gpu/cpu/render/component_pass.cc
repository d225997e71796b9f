#include "gpu/cpu/render/component_pass.h"

#include <algorithm>

namespace freqstore {
namespace {

constexpr uint32_t kNoBlockRow = UINT32_MAX;

size_t RoundUpToGroup(size_t count) {
  return (count + kRowGroup - 1) / kRowGroup * kRowGroup;
}

}  // namespace

void ComponentPass::Start(const RenderLoops& loops, const CoefficientPlanes& planes,
                          std::span<const uint16_t> quant, const AxisOperator& horizontal,
                          const AxisOperator& vertical) {
  loops_ = &loops;
  planes_ = &planes;
  quant_ = quant;
  horizontal_ = &horizontal;
  vertical_ = &vertical;
  kept_ = KeptFrequencies(planes.frequencies(), horizontal.side(), vertical.side());
  if (kept_.size == 0) return;

  columns_ = RoundUpToGroup(horizontal.last_block() - horizontal.first_block());
  summed_stride_ =
      kept_.side_x * columns_ + kRowGroup;  // not a multiple of 4 KB: the rows would share cache lines
  ring_rows_.assign(vertical.blocks_per_row_max(), kNoBlockRow);
  row_blocks_.resize(vertical.blocks_per_row_max());
  ring_.Reserve(ring_rows_.size() * kept_.size * columns_);
  summed_.Reserve(kRowGroup * summed_stride_);
  tile_.Reserve(columns_ * kept_.side_x * kRowGroup);
}

const float* ComponentPass::BlockRow(uint32_t block_row) {
  const size_t slot = block_row % ring_rows_.size();
  float* out = ring_.data() + slot * kept_.size * columns_;
  if (ring_rows_[slot] == block_row) return out;

  const uint32_t first = horizontal_->first_block();
  const size_t count = horizontal_->last_block() - first;
  const size_t offset = static_cast<size_t>(block_row) * planes_->grid().width_blocks + first;
  for (size_t f = 0; f < kept_.size; ++f) {
    const int z = kept_.zigzag[f];
    loops_->dequantize(planes_->plane(z).data() + offset, count,
                       static_cast<float>(quant_[static_cast<size_t>(z)]), out + f * columns_);
  }
  ring_rows_[slot] = block_row;
  return out;
}

void ComponentPass::RenderRows(size_t first_row, float* out) {
  const std::span<const AxisOperator::Row> out_columns = horizontal_->rows();
  if (kept_.size == 0) {
    std::fill_n(out, out_columns.size() * kRowGroup, 0.f);
    return;
  }
  for (size_t r = 0; r < kRowGroup; ++r) {
    float* summed = summed_.data() + r * summed_stride_;
    if (first_row + r >= vertical_->rows().size()) {
      std::fill_n(summed, kept_.side_x * columns_, 0.f);
      continue;
    }
    const AxisOperator::Row& row = vertical_->rows()[first_row + r];
    for (uint32_t b = 0; b < row.blocks; ++b) row_blocks_[b] = BlockRow(row.first_block + b);
    loops_->vertical({.block_rows = row_blocks_.data(),
                      .blocks = row.blocks,
                      .weights = vertical_->weights(row).data(),
                      .side = static_cast<size_t>(vertical_->side()),
                      .kept = &kept_,
                      .columns = columns_,
                      .out = summed});
  }
  for (size_t u = 0; u < kept_.side_x; ++u) {
    loops_->rows_to_columns(summed_.data() + u * columns_, summed_stride_, columns_,
                            tile_.data() + u * kRowGroup, kept_.side_x * kRowGroup);
  }
  loops_->horizontal({.rows = out_columns.data(),
                      .count = out_columns.size(),
                      .weights = horizontal_->weights().data(),
                      .side = kept_.side_x,
                      .first_block = horizontal_->first_block(),
                      .tile = tile_.data(),
                      .out = out});
}

void ComponentPass::ReleaseScratchAbove(size_t bytes_max) {
  ring_.ReleaseAbove(bytes_max);
  summed_.ReleaseAbove(bytes_max);
  tile_.ReleaseAbove(bytes_max);
}

}  // namespace freqstore

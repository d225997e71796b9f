#include "gpu/cpu/render/component_pass.h"

#include <algorithm>

namespace freqstore {
namespace {

size_t RoundUpToGroup(size_t count) {
  return (count + kRowGroup - 1) / kRowGroup * kRowGroup;
}

}  // namespace

void ComponentPass::Start(const RenderLoops& loops, const CoefficientPlanes& planes,
                          std::span<const uint16_t> quant, const AxisOperator& horizontal,
                          const AxisOperator& vertical) {
  loops_ = &loops;
  horizontal_ = &horizontal;
  vertical_ = &vertical;
  width_blocks_ = planes.grid().width_blocks;
  kept_ = KeptFrequencies(planes, quant, horizontal.side(), vertical.side());
  if (kept_.size == 0) return;

  columns_ = RoundUpToGroup(horizontal.last_block() - horizontal.first_block());
  summed_stride_ =
      kept_.side_x * columns_ + kWindowMax;  // not a multiple of 4 KB: the rows would share cache lines
  summed_.Reserve(kRowGroup * summed_stride_);
}

void ComponentPass::SumRows(size_t first_row, size_t rows) {
  const std::span<const AxisOperator::Row> group = vertical_->rows().subspan(first_row, rows);
  uint32_t first_block = UINT32_MAX;
  uint32_t last_block = 0;
  for (const AxisOperator::Row& row : group) {
    first_block = std::min(first_block, row.first_block);
    last_block = std::max(last_block, row.first_block + row.blocks);
  }
  const auto side = static_cast<size_t>(vertical_->side());
  for (uint32_t block = first_block; block < last_block; ++block) {
    terms_.clear();
    for (size_t r = 0; r < rows; ++r) {
      const AxisOperator::Row& row = group[r];
      if (block < row.first_block || block >= row.first_block + row.blocks) continue;
      terms_.push_back({.weights = vertical_->weights(row).data() + (block - row.first_block) * side,
                        .out = summed_.data() + r * summed_stride_,
                        .add = block > row.first_block});
    }
    loops_->vertical({.kept = &kept_,
                      .first_block = block * width_blocks_ + horizontal_->first_block(),
                      .columns = columns_,
                      .terms = terms_.data(),
                      .count = terms_.size()});
  }
}

void ComponentPass::RenderRows(size_t first_row, size_t rows, const LaneOperator& lanes, float* out,
                               size_t out_stride) {
  if (kept_.size == 0) {
    for (size_t r = 0; r < rows; ++r)
      std::fill_n(out + r * out_stride, RoundUpToGroup(horizontal_->rows().size()), 0.f);
    return;
  }
  SumRows(first_row, rows);
  loops_->lane_rows({.groups = lanes.groups(),
                     .rows = rows,
                     .sums = summed_.data(),
                     .sums_stride = summed_stride_,
                     .columns = columns_,
                     .out = out,
                     .out_stride = out_stride});
}

void ComponentPass::RenderColumns(size_t first_row, float* out) {
  const std::span<const AxisOperator::Row> out_columns = horizontal_->rows();
  if (kept_.size == 0) {
    std::fill_n(out, out_columns.size() * kRowGroup, 0.f);
    return;
  }
  SumRows(first_row, std::min(kRowGroup, vertical_->rows().size() - first_row));
  tile_.Reserve(columns_ * kept_.side_x * kRowGroup);
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
  summed_.ReleaseAbove(bytes_max);
  tile_.ReleaseAbove(bytes_max);
}

}  // namespace freqstore

#include "gpu/cpu/render/component_pass.h"

#include <algorithm>

namespace freqstore {
namespace {

size_t RoundUpToGroup(size_t count) {
  return (count + kRowGroup - 1) / kRowGroup * kRowGroup;
}

}  // namespace

void ComponentPass::Start(const RenderLoops& loops, const CoefficientPlanes& planes,
                          std::span<const uint16_t> quant, const RenderOperator& horizontal,
                          const RenderOperator& vertical) {
  loops_ = &loops;
  horizontal_ = &horizontal;
  vertical_ = &vertical;
  width_blocks_ = planes.grid().width_blocks;
  kept_ = KeptFrequencies(planes, quant, horizontal.axis.side(), vertical.axis.side());
  if (kept_.size == 0) return;

  columns_ = RoundUpToGroup(horizontal.axis.last_block() - horizontal.axis.first_block());
  summed_stride_ =
      kept_.side_x * columns_ + kWindowMax;  // not a multiple of 4 KB: the rows would share cache lines
  summed_.Reserve(kRowGroup * summed_stride_);
}

void ComponentPass::SumGroup(size_t group) {
  for (const GroupTerms::BlockRow& row : vertical_->groups.BlockRowsOf(group)) {
    loops_->vertical({.kept = &kept_,
                      .first_block = row.block * width_blocks_ + horizontal_->axis.first_block(),
                      .columns = columns_,
                      .terms = vertical_->groups.terms(row),
                      .count = row.terms,
                      .weights = vertical_->axis.weights().data(),
                      .out = summed_.data(),
                      .out_stride = summed_stride_});
  }
}

void ComponentPass::RenderRows(size_t first_row, float* out, size_t out_stride) {
  const size_t rows = std::min(kRowGroup, vertical_->axis.rows().size() - first_row);
  if (kept_.size == 0) {
    for (size_t r = 0; r < rows; ++r)
      std::fill_n(out + r * out_stride, RoundUpToGroup(horizontal_->axis.rows().size()), 0.f);
    return;
  }
  SumGroup(first_row / kRowGroup);
  loops_->lane_rows({.groups = horizontal_->lanes.groups(),
                     .rows = rows,
                     .sums = summed_.data(),
                     .sums_stride = summed_stride_,
                     .columns = columns_,
                     .out = out,
                     .out_stride = out_stride});
}

void ComponentPass::RenderColumns(size_t first_row, float* out) {
  const AxisOperator& axis = horizontal_->axis;
  const std::span<const AxisOperator::Row> out_columns = axis.rows();
  if (kept_.size == 0) {
    std::fill_n(out, out_columns.size() * kRowGroup, 0.f);
    return;
  }
  SumGroup(first_row / kRowGroup);
  tile_.Reserve(columns_ * kept_.side_x * kRowGroup);
  for (size_t u = 0; u < kept_.side_x; ++u) {
    loops_->rows_to_columns(summed_.data() + u * columns_, summed_stride_, columns_,
                            tile_.data() + u * kRowGroup, kept_.side_x * kRowGroup);
  }
  loops_->horizontal({.rows = out_columns.data(),
                      .count = out_columns.size(),
                      .weights = axis.weights().data(),
                      .side = kept_.side_x,
                      .first_block = axis.first_block(),
                      .tile = tile_.data(),
                      .out = out});
}

void ComponentPass::ReleaseScratchAbove(size_t bytes_max) {
  summed_.ReleaseAbove(bytes_max);
  tile_.ReleaseAbove(bytes_max);
}

}  // namespace freqstore

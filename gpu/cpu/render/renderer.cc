#include "gpu/cpu/render/renderer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "gpu/cpu/render/store_rgb.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr size_t kOperatorBytesMax = size_t{32} << 20;  // of some hundred sizes of images
constexpr size_t kScratchBytesMax = size_t{32} << 20;   // a buffer that one huge image needed is not kept

absl::Status CheckGeometry(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes) {
  if (geometry.width > 0 && geometry.height > 0 && planes.size() == geometry.components.size() &&
      planes.size() >= ComponentCount(geometry.color)) {
    bool match = true;
    for (size_t c = 0; c < planes.size(); ++c) {
      const BlockGrid& grid = geometry.components[c].grid;
      match &= uint64_t{grid.width_blocks} * kBlockSide >= HorizontalAxis(geometry, c).samples();
      match &= uint64_t{grid.height_blocks} * kBlockSide >= VerticalAxis(geometry, c).samples();
      match &= planes[c].frequencies().empty() || planes[c].grid() == grid;
    }
    if (match) return absl::OkStatus();
  }
  return MakeError(
      absl::StatusCode::kInternal, "GEOMETRY_MISMATCH",
      fmt::format("the coefficients do not belong to an image of {} x {} pixels with {} components",
                  geometry.width, geometry.height, geometry.components.size()));
}

struct Sides {
  int x = 1;
  int y = 1;
};

// The smallest square prefix on each axis that holds the frequencies.
Sides SidesOf(FrequencySet set) {
  Sides sides;
  for (int z = 0; z < kFrequencies; ++z) {
    if (!set.Contains(z)) continue;
    sides.x = std::max(sides.x, HorizontalFrequency(z) + 1);
    sides.y = std::max(sides.y, VerticalFrequency(z) + 1);
  }
  return sides;
}

// Row group -> planes of a tensor row, in display orientation.
void StoreNormalized(const RenderLoops& loops, const float* group, const ImageSampling& sampling,
                     size_t first_row, size_t rows, float* plane) {
  const size_t columns = sampling.x.count;
  if (!sampling.transposed) {
    loops.columns_to_rows(group, columns, rows, plane + first_row * columns, columns);
    return;
  }
  for (size_t x = 0; x < columns; ++x) {
    std::copy_n(group + x * kRowGroup, rows, plane + x * sampling.y.count + first_row);
  }
}

}  // namespace

Renderer::Renderer(SimdLevel level)
    : loops_(RenderLoopsFor(level)),
      operators_(kOperatorBytesMax, loops_.lanes),
      full_size_(level),
      reduced_(level) {}

void Renderer::StartComponents(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                               const ImageSampling& sampling, bool match_weights) {
  for (size_t c = 0; c < ComponentCount(geometry.color); ++c) {
    Sides sides = SidesOf(planes[c].frequencies());
    BlockTransform transform = BlockTransform::kEightPoint;
    if (match_weights && !IsChroma(geometry.color, c)) {
      transform = BlockTransform::kMatched;
      sides.x = sides.y = std::max(sides.x, sides.y);
    }
    operators_in_use_[c] = {
        operators_.Get(Direction::kHorizontal, HorizontalAxis(geometry, c), sampling.x, sides.x, transform),
        operators_.Get(Direction::kVertical, VerticalAxis(geometry, c), sampling.y, sides.y, transform)};
    passes_[c].Start(loops_, planes[c], geometry.components[c].quant, *operators_in_use_[c].horizontal,
                     *operators_in_use_[c].vertical);
  }
  const size_t columns = (sampling.x.count + kRowGroup - 1) / kRowGroup * kRowGroup;
  for (ScratchBuffer<float>& channel : group_) channel.Reserve(columns * kRowGroup);
}

ColorGroup Renderer::RenderGroup(const ImageGeometry& geometry, size_t first_row, size_t columns) {
  for (size_t c = 0; c < ComponentCount(geometry.color); ++c) {
    passes_[c].RenderColumns(first_row, group_[c].data());
  }
  return {.planes = {group_[0].data(), group_[1].data(), group_[2].data(), group_[3].data()},
          .count = columns * kRowGroup,
          .color = geometry.color};
}

absl::Status Renderer::Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                              bool match_weights, const RenderSpec& spec, std::span<float> out) {
  RETURN_IF_ERROR(CheckGeometry(geometry, planes));
  ASSIGN_OR_RETURN(const ImageSampling sampling,
                   SampleResized(geometry, spec.resize, spec.apply_orientation));
  StartComponents(geometry, planes, sampling, match_weights);
  const size_t rows = sampling.y.count;
  const size_t columns = sampling.x.count;
  assert(out.size() == 3 * rows * columns);

  TensorPlanes tensor{};
  for (size_t channel = 0; channel < 3; ++channel) {
    const size_t position = spec.bgr ? 2 - channel : channel;
    tensor.scaling.mean[channel] = spec.mean[position];
    tensor.scaling.scale[channel] = spec.scale[position];
    tensor.planes[channel] = out.data() + position * rows * columns;
  }
  bool by_lanes = loops_.lane_rows_fast;
  for (size_t c = 0; c < ComponentCount(geometry.color); ++c)
    by_lanes &= operators_in_use_[c].horizontal->lanes.fits();
  if (by_lanes) {
    RenderRows(geometry, sampling, tensor);
  } else {
    RenderGroups(geometry, sampling, tensor);
  }
  ReleaseScratch();
  return absl::OkStatus();
}

void Renderer::RenderRows(const ImageGeometry& geometry, const ImageSampling& sampling,
                          const TensorPlanes& tensor) {
  const size_t columns = sampling.x.count;
  const size_t stride = (columns + kRowGroup - 1) / kRowGroup * kRowGroup;
  TensorRow row{
      .values = {}, .count = columns, .color = geometry.color, .scaling = tensor.scaling, .planes = {}};
  if (sampling.transposed) rows_.Reserve(3 * kRowGroup * stride);
  for (size_t first = 0; first < sampling.y.count; first += kRowGroup) {
    const size_t rows = std::min<size_t>(kRowGroup, sampling.y.count - first);
    for (size_t c = 0; c < ComponentCount(geometry.color); ++c)
      passes_[c].RenderRows(first, group_[c].data(), stride);
    for (size_t r = 0; r < rows; ++r) {
      for (size_t c = 0; c < ComponentCount(geometry.color); ++c)
        row.values[c] = group_[c].data() + r * stride;
      for (size_t channel = 0; channel < 3; ++channel) {
        row.planes[channel] = sampling.transposed ? rows_.data() + (channel * kRowGroup + r) * stride
                                                  : tensor.planes[channel] + (first + r) * columns;
      }
      loops_.tensor_row(row);
    }
    for (size_t channel = 0; sampling.transposed && channel < 3; ++channel) {
      loops_.rows_to_columns(rows_.data() + channel * kRowGroup * stride, stride, stride,
                             group_[channel].data(), kRowGroup);
      StoreNormalized(loops_, group_[channel].data(), sampling, first, rows, tensor.planes[channel]);
    }
  }
}

void Renderer::RenderGroups(const ImageGeometry& geometry, const ImageSampling& sampling,
                            const TensorPlanes& tensor) {
  for (size_t row = 0; row < sampling.y.count; row += kRowGroup) {
    const ColorGroup group = RenderGroup(geometry, row, sampling.x.count);
    loops_.normalize(group, tensor.scaling);
    for (size_t channel = 0; channel < 3; ++channel) {
      StoreNormalized(loops_, group.planes[channel], sampling, row,
                      std::min<size_t>(kRowGroup, sampling.y.count - row), tensor.planes[channel]);
    }
  }
}

absl::StatusOr<RgbImage> Renderer::RenderReduced(const ImageGeometry& geometry,
                                                 std::span<const CoefficientPlanes> planes, int k,
                                                 bool apply_orientation) {
  assert(k >= 1 && k <= kBlockSide);
  RETURN_IF_ERROR(CheckGeometry(geometry, planes));
  if (k == kBlockSide) return full_size_.Render(geometry, planes, apply_orientation);
  if (ReducedRenderer::Handles(geometry, k)) return reduced_.Render(geometry, planes, k, apply_orientation);

  const ImageSampling sampling = SampleReduced(geometry, k, apply_orientation);
  StartComponents(geometry, planes, sampling, /*match_weights=*/false);
  RgbImage image;
  image.width = sampling.display_width();
  image.height = sampling.display_height();
  image.pixels.resize(size_t{3} * image.width * image.height);
  const size_t rows = sampling.y.count;
  const size_t columns = sampling.x.count;
  rows_.Reserve(columns * kRowGroup);
  for (size_t row = 0; row < rows; row += kRowGroup) {
    const ColorGroup group = RenderGroup(geometry, row, columns);
    loops_.pack_rgb(group);
    const size_t group_rows = std::min(kRowGroup, rows - row);
    if (sampling.transposed) {
      for (size_t x = 0; x < columns; ++x) {
        StorePackedRgb(group.planes[0] + x * kRowGroup, group_rows,
                       image.pixels.data() + 3 * (x * rows + row));
      }
      continue;
    }
    loops_.columns_to_rows(group.planes[0], columns, group_rows, rows_.data(), columns);
    for (size_t r = 0; r < group_rows; ++r) {
      StorePackedRgb(rows_.data() + r * columns, columns, image.pixels.data() + 3 * (row + r) * columns);
    }
  }
  ReleaseScratch();
  return image;
}

void Renderer::ReleaseScratch() {
  for (ComponentPass& pass : passes_) pass.ReleaseScratchAbove(kScratchBytesMax);
  for (ScratchBuffer<float>& channel : group_) channel.ReleaseAbove(kScratchBytesMax);
  rows_.ReleaseAbove(kScratchBytesMax);
}

}  // namespace freqstore

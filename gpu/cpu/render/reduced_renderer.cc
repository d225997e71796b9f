#include "gpu/cpu/render/reduced_renderer.h"

#include <algorithm>

#include "gpu/kernels/reduced_transform.h"

namespace freqstore {
namespace {

constexpr size_t kNoBlockRow = SIZE_MAX;
constexpr size_t kStripBytes = size_t{16} << 10;  // of samples: they are read while they are in the cache

}  // namespace

bool ReducedRenderer::Handles(const ImageGeometry& geometry, int k) {
  const int h_samp_max = geometry.h_samp_max();
  const int v_samp_max = geometry.v_samp_max();
  for (size_t c = 0; c < ComponentCount(geometry.color); ++c) {
    const ComponentGeometry& component = geometry.components[c];
    if (ReducedPoints(k, component.h_samp, h_samp_max) == 0 ||
        ReducedPoints(k, component.v_samp, v_samp_max) == 0) {
      return false;
    }
  }
  return true;
}

void ReducedRenderer::Start(const ImageGeometry& geometry, size_t index, const CoefficientPlanes& planes,
                            int k, Component& c) {
  const ComponentGeometry& component = geometry.components[index];
  ReducedBlocks& blocks = c.blocks;
  blocks.frequencies = c.frequencies.data();
  blocks.points_x = static_cast<size_t>(ReducedPoints(k, component.h_samp, geometry.h_samp_max()));
  blocks.points_y = static_cast<size_t>(ReducedPoints(k, component.v_samp, geometry.v_samp_max()));
  for (size_t v = 0; v < blocks.points_y; ++v) {
    for (size_t u = 0; u < blocks.points_x; ++u) {
      const uint8_t z = kNaturalToZigzag[8 * v + u];
      c.frequencies[8 * v + u] =
          MakeWordFrequency(RowFrom(planes, z, 0), component.quant[z], kReducedInputMax, kReducedOneShift);
    }
  }
  c.width_blocks = component.grid.width_blocks;
  c.height_blocks = component.grid.height_blocks;
  c.first_row = kNoBlockRow;
  const size_t row_bytes = blocks.points_x * blocks.points_y * c.width_blocks;
  c.strip_rows = std::clamp<size_t>(kStripBytes / row_bytes, 1, c.height_blocks);
  const size_t strip_blocks =
      (c.strip_rows * c.width_blocks + kReducedBlocks - 1) / kReducedBlocks * kReducedBlocks;
  blocks.out_stride = blocks.points_x * strip_blocks;
  c.samples.Reserve(blocks.points_y * blocks.out_stride + kFullSizeSamples);
  blocks.out = c.samples.data();
}

SampleRows ReducedRenderer::RowsFrom(Component& c, size_t y, size_t width) const {
  const size_t block_row = y / c.blocks.points_y;
  if (c.first_row == kNoBlockRow || block_row >= c.first_row + c.strip_rows) {
    c.first_row = block_row;
    c.blocks.first_block = block_row * c.width_blocks;
    c.blocks.blocks = std::min(c.strip_rows, c.height_blocks - block_row) * c.width_blocks;
    transform_.transform(c.blocks);
  }
  const size_t in_strip = block_row - c.first_row;
  const size_t row_samples = c.width_blocks * c.blocks.points_x;
  const bool is_gapless = c.blocks.points_y == 1 && row_samples == width;
  return {.samples = c.blocks.out + y % c.blocks.points_y * c.blocks.out_stride + in_strip * row_samples,
          .rows = is_gapless ? c.strip_rows - in_strip : 1};
}

RgbImage ReducedRenderer::Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                                 int k, bool apply_orientation) {
  for (size_t i = 0; i < ComponentCount(geometry.color); ++i)
    Start(geometry, i, planes[i], k, components_[i]);
  const auto reduced = [k](uint32_t size) {
    return static_cast<uint32_t>((uint64_t{size} * static_cast<uint32_t>(k) + 7) / 8);
  };
  const uint32_t width = reduced(geometry.width);
  RgbImage image = ConvertRows(pixels_, geometry, width, reduced(geometry.height), apply_orientation,
                               [&](size_t c, size_t y) { return RowsFrom(components_[c], y, width); });
  return image;
}

}  // namespace freqstore

#include "gpu/cpu/render/full_size_renderer.h"

#include <algorithm>
#include <cstring>

#include "gpu/cpu/render/pixel_rows.h"
#include "gpu/kernels/islow_transform.h"
#include "gpu/kernels/upsample.h"

namespace freqstore {
namespace {

constexpr size_t kMargin = 64;  // of a row of samples, on each side
constexpr size_t kNoBlockRow = SIZE_MAX;
constexpr uint8_t kMidGrey = 128;

size_t RoundUp(size_t count, size_t unit) {
  return (count + unit - 1) / unit * unit;
}

}  // namespace

void FullSizeRenderer::Start(const ImageGeometry& geometry, size_t index, const CoefficientPlanes& planes,
                             Component& c) {
  const ComponentGeometry& component = geometry.components[index];
  for (size_t n = 0; n < kFrequencies; ++n) {
    const uint8_t z = kNaturalToZigzag[n];
    c.frequencies[n] = MakeWordFrequency(RowFrom(planes, z, 0), component.quant[z], kIslowInputMax, 0);
  }
  c.grey = planes.frequencies().empty();
  c.grid = component.grid;
  c.x = HorizontalAxis(geometry, index);
  c.y = VerticalAxis(geometry, index);
  c.stride = kMargin + kBlockSide * RoundUp(c.grid.width_blocks, kFullSizeBlocks) + kMargin;
  c.block_rows.fill(kNoBlockRow);
  c.samples.Reserve(c.block_rows.size() * kBlockSide * c.stride);
  c.row.Reserve(RoundUp(c.x.image_size, 2 * kFullSizeSamples) + 2 * kFullSizeSamples);
}

void FullSizeRenderer::TransformBlockRow(Component& c, size_t block_row) {
  const size_t slot = block_row % c.block_rows.size();
  c.block_rows[slot] = block_row;
  uint8_t* samples = c.samples.data() + slot * kBlockSide * c.stride;
  if (c.grey) {
    std::memset(samples, kMidGrey, kBlockSide * c.stride);
    return;
  }
  const IslowBlockRow row{.frequencies = c.frequencies.data(),
                          .first_block = block_row * c.grid.width_blocks,
                          .blocks = c.grid.width_blocks,
                          .out = samples + kMargin,
                          .out_stride = c.stride};
  loops_.islow(row);
  const size_t width = c.x.samples();
  for (uint8_t* first = row.out; first < row.out + kBlockSide * c.stride; first += c.stride) {
    first[-1] = first[0];
    first[width] = first[width - 1];
  }
}

const uint8_t* FullSizeRenderer::SampleRow(Component& c, size_t y) {
  const size_t block_row = y / kBlockSide;
  const size_t slot = block_row % c.block_rows.size();
  if (c.block_rows[slot] != block_row) TransformBlockRow(c, block_row);
  return c.samples.data() + (slot * kBlockSide + y % kBlockSide) * c.stride + kMargin;
}

void FullSizeRenderer::InterpolateRow(Component& c, size_t y) {
  const LinearPosition down =
      LocateLinear(static_cast<int64_t>(y), c.y.samp, c.y.samp_max, int64_t{c.y.samples()});
  const uint8_t* low = SampleRow(c, static_cast<size_t>(down.low));
  const uint8_t* high = SampleRow(c, static_cast<size_t>(down.high));
  for (int64_t x = 0; x < c.x.image_size; ++x) {
    const LinearPosition across = LocateLinear(x, c.x.samp, c.x.samp_max, int64_t{c.x.samples()});
    c.row.data()[x] = static_cast<uint8_t>(UpsampleLinear(
        across, down, {{low[across.low], low[across.high]}, {high[across.low], high[across.high]}}));
  }
}

// Row `y` of the image's own size.
const uint8_t* FullSizeRenderer::PixelRowOf(Component& c, size_t y) {
  if (c.x.samp_max % c.x.samp != 0 || c.y.samp_max % c.y.samp != 0) {
    InterpolateRow(c, y);
    return c.row.data();
  }
  const size_t ratio_x = c.x.samp_max / c.x.samp;
  const size_t ratio_y = c.y.samp_max / c.y.samp;
  const uint8_t* near = SampleRow(c, y / ratio_y);
  if (ratio_x == 1 && ratio_y == 1) return near;

  uint8_t* out = c.row.data();
  const size_t width = c.x.samples();
  const bool lower = y % 2 == 1;
  const size_t far_row = lower ? std::min<size_t>(y / 2 + 1, c.y.samples() - 1) : y / 2 - (y > 0 ? 1 : 0);
  if (ratio_x == 1 && ratio_y == 2) {
    loops_.upsample_h1v2(near, SampleRow(c, far_row), lower, width, out);
  } else if (ratio_x == 2 && ratio_y == 1 && width > 2) {
    loops_.upsample_h2v1(near, width, out);
  } else if (ratio_x == 2 && ratio_y == 2 && width > 2) {
    loops_.upsample_h2v2(near, SampleRow(c, far_row), width, out);
  } else {
    for (size_t x = 0; x < c.x.image_size; ++x) out[x] = near[x / ratio_x];
  }
  return out;
}

RgbImage FullSizeRenderer::Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                                  bool apply_orientation) {
  for (size_t i = 0; i < ComponentCount(geometry.color); ++i) Start(geometry, i, planes[i], components_[i]);
  return ConvertRows(
      loops_, geometry, geometry.width, geometry.height, apply_orientation,
      [this](size_t c, size_t y) { return SampleRows{.samples = PixelRowOf(components_[c], y)}; });
}

}  // namespace freqstore

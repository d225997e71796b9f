#include "gpu/cpu/render/reduced_renderer.h"

#include <algorithm>
#include <utility>

#include "gpu/cpu/render/oriented_image.h"
#include "gpu/kernels/orientation.h"

namespace freqstore {
namespace {

constexpr size_t kNoBlockRow = SIZE_MAX;
constexpr size_t kStripBlocks = 1024;

size_t RoundUp(size_t count, size_t unit) {
  return (count + unit - 1) / unit * unit;
}

size_t ColorComponents(const ImageGeometry& geometry) {
  return geometry.color == ColorModel::kGrayscale ? 1 : 3;
}

// Points a block along an axis; 0 if there is no whole number of them, or too many.
size_t Points(int k, int samp, int samp_max) {
  const int points = k * samp_max / samp;
  return samp_max % samp == 0 && points <= kBlockSide ? static_cast<size_t>(points) : 0;
}

}  // namespace

bool ReducedRenderer::Handles(const ImageGeometry& geometry, int k) {
  for (size_t c = 0; c < ColorComponents(geometry); ++c) {
    const ComponentGeometry& component = geometry.components[c];
    if (Points(k, component.h_samp, geometry.h_samp_max()) == 0 ||
        Points(k, component.v_samp, geometry.v_samp_max()) == 0) {
      return false;
    }
  }
  return true;
}

void ReducedRenderer::Start(const ImageGeometry& geometry, size_t index, const CoefficientPlanes& planes,
                            int k, Component& c) {
  const ComponentGeometry& component = geometry.components[index];
  ReducedBlockRow& row = c.row;
  row.frequencies = c.frequencies.data();
  row.points_x = Points(k, component.h_samp, geometry.h_samp_max());
  row.points_y = Points(k, component.v_samp, geometry.v_samp_max());
  row.weights_x = ReducedBasis(row.points_x);
  row.weights_y = c.weights_y.data();
  const float* basis_y = ReducedBasis(row.points_y);
  for (size_t u = 0; u < row.points_x; ++u) {
    float* weights = c.weights_y.data() + u * ReducedWeights(row.points_y);
    for (size_t v = 0; v < row.points_y; ++v) {
      const uint8_t z = kNaturalToZigzag[8 * v + u];
      c.frequencies[8 * v + u] = RowFrom(planes, z, 0);
      for (size_t i = v; i < ReducedWeights(row.points_y); i += row.points_y)
        weights[i] = basis_y[i] * component.quant[z];
    }
  }
  c.first_row = kNoBlockRow;
  c.height_blocks = component.grid.height_blocks;
  c.width_blocks = component.grid.width_blocks;
  if (row.points_x * row.points_y == 1) {
    c.rows_max = (kStripBlocks + c.width_blocks - 1) / c.width_blocks;
    row.out_stride = c.width_blocks;
  } else {
    c.rows_max = 1;
    row.out_stride = row.points_x * RoundUp(c.width_blocks, kReducedBlocks);
  }
  c.samples.Reserve(c.rows_max * row.points_y * row.out_stride + kReducedBlocks + kReducedPixels);
  row.out = c.samples.data();
}

const float* ReducedRenderer::PixelRowOf(Component& c, size_t y) {
  const size_t block_row = y / c.row.points_y;
  if (c.first_row == kNoBlockRow || block_row >= c.first_row + c.rows_max) {
    c.first_row = block_row;
    c.row.first_block = block_row * c.width_blocks;
    c.row.blocks = std::min(c.rows_max, c.height_blocks - block_row) * c.width_blocks;
    loops_.transform(c.row);
  }
  return c.row.out + (y - c.first_row * c.row.points_y) * c.row.out_stride;
}

RgbImage ReducedRenderer::Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                                 int k, bool apply_orientation) {
  const size_t count = ColorComponents(geometry);
  for (size_t i = 0; i < count; ++i) Start(geometry, i, planes[i], k, components_[i]);
  const auto reduced = [k](uint32_t size) {
    return static_cast<uint32_t>((uint64_t{size} * static_cast<uint32_t>(k) + 7) / 8);
  };
  RgbImage image;
  image.width = reduced(geometry.width);
  image.height = reduced(geometry.height);
  image.pixels.resize(size_t{3} * image.width * image.height);
  ReducedPixelRow row{.planes = {},
                      .count = image.width,
                      .color = geometry.color,
                      .rgb = image.pixels.data(),
                      .room = image.pixels.size()};
  for (size_t y = 0; y < image.height; ++y) {
    for (size_t i = 0; i < count; ++i) row.planes[i] = PixelRowOf(components_[i], y);
    loops_.convert(row);
    row.rgb += 3 * row.count;
    row.room -= 3 * row.count;
  }
  return Oriented(std::move(image), OrientationFromExif(apply_orientation ? geometry.orientation : 1));
}

}  // namespace freqstore

#include "gpu/cpu/render/full_size_renderer.h"

#include <algorithm>
#include <cstring>

#include "gpu/kernels/axis_operator.h"
#include "gpu/kernels/orientation.h"
#include "gpu/kernels/upsample.h"

namespace freqstore {
namespace {

constexpr size_t kScratchBytesMax = size_t{32} << 20;
constexpr uint8_t kMidGrey = 128;

RgbImage Oriented(const RgbImage& coded, const Orientation& orientation) {
  RgbImage displayed;
  displayed.width = orientation.transposed ? coded.height : coded.width;
  displayed.height = orientation.transposed ? coded.width : coded.height;
  displayed.pixels.resize(coded.pixels.size());
  uint8_t* out = displayed.pixels.data();
  for (int64_t y = 0; y < displayed.height; ++y) {
    for (int64_t x = 0; x < displayed.width; ++x) {
      const PixelPosition from = CodedPosition(orientation, coded.width, coded.height, {x, y});
      std::memcpy(out, coded.pixels.data() + 3 * (from.y * int64_t{coded.width} + from.x), 3);
      out += 3;
    }
  }
  return displayed;
}

}  // namespace

void FullSizeRenderer::TransformComponent(const ComponentGeometry& geometry, const CoefficientPlanes& planes,
                                          Component& component) {
  const BlockGrid& grid = geometry.grid;
  component.stride = size_t{8} * grid.width_blocks;
  const size_t samples = component.stride * 8 * grid.height_blocks;
  component.samples.Reserve(samples);
  if (planes.frequencies().empty()) {
    std::memset(component.samples.data(), kMidGrey, samples);
    return;
  }
  IslowBlockRow row{};
  row.blocks = grid.width_blocks;
  row.out_stride = component.stride;
  for (size_t n = 0; n < kFrequencies; ++n) row.quant[n] = geometry.quant[kNaturalToZigzag[n]];
  for (size_t y = 0; y < grid.height_blocks; ++y) {
    for (size_t n = 0; n < kFrequencies; ++n) {
      const int z = kNaturalToZigzag[n];
      if (planes.frequencies().Contains(z)) row.coefficients[n] = planes.plane(z).data() + y * row.blocks;
    }
    row.out = component.samples.data() + y * 8 * component.stride;
    loops_.islow(row);
  }
}

const uint8_t* FullSizeRenderer::UpsampledRow(Component& c, size_t y, size_t width) {
  const auto sample_row = [&c](size_t row) { return c.samples.data() + row * c.stride; };
  uint8_t* out = c.row.data();
  if (c.samp_x_max % c.samp_x != 0 || c.samp_y_max % c.samp_y != 0) {
    const LinearPosition down =
        LocateLinear(static_cast<int64_t>(y), c.samp_y, c.samp_y_max, static_cast<int64_t>(c.height));
    const uint8_t* low = sample_row(static_cast<size_t>(down.low));
    const uint8_t* high = sample_row(static_cast<size_t>(down.high));
    for (size_t x = 0; x < width; ++x) {
      const LinearPosition across =
          LocateLinear(static_cast<int64_t>(x), c.samp_x, c.samp_x_max, static_cast<int64_t>(c.width));
      out[x] = static_cast<uint8_t>(UpsampleLinear(
          across, down, {{low[across.low], low[across.high]}, {high[across.low], high[across.high]}}));
    }
    return out;
  }
  const auto ratio_x = static_cast<size_t>(c.samp_x_max / c.samp_x);
  const auto ratio_y = static_cast<size_t>(c.samp_y_max / c.samp_y);
  const uint8_t* near = sample_row(y / ratio_y);
  if (ratio_x == 1 && ratio_y == 1) return near;

  const bool lower = y % 2 == 1;
  const size_t far_row = lower ? std::min(y / 2 + 1, c.height - 1) : y / 2 - (y > 0 ? 1 : 0);
  if (ratio_x == 1 && ratio_y == 2) {
    loops_.upsample_h1v2(near, sample_row(far_row), lower, c.width, out);
  } else if (ratio_x == 2 && ratio_y == 1 && c.width > 2) {
    loops_.upsample_h2v1(near, c.width, out);
  } else if (ratio_x == 2 && ratio_y == 2 && c.width > 2) {
    loops_.upsample_h2v2(near, sample_row(far_row), c.width, out);
  } else {
    for (size_t x = 0; x < width; ++x) out[x] = near[x / ratio_x];
  }
  return out;
}

RgbImage FullSizeRenderer::Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                                  bool apply_orientation) {
  const size_t count = geometry.color == ColorModel::kGrayscale ? 1 : 3;
  RgbImage image;
  image.width = geometry.width;
  image.height = geometry.height;
  image.pixels.resize(size_t{3} * image.width * image.height);
  for (size_t i = 0; i < count; ++i) {
    Component& component = components_[i];
    component.samp_x = geometry.components[i].h_samp;
    component.samp_y = geometry.components[i].v_samp;
    component.samp_x_max = geometry.h_samp_max();
    component.samp_y_max = geometry.v_samp_max();
    component.width = HorizontalAxis(geometry, i).samples();
    component.height = VerticalAxis(geometry, i).samples();
    component.row.Reserve(size_t{image.width} + 1);  // an upsampled row ends on a pair
    TransformComponent(geometry.components[i], planes[i], component);
  }
  for (size_t y = 0; y < image.height; ++y) {
    PixelRow row{.planes = {}, .count = image.width, .color = geometry.color, .rgb = nullptr};
    row.rgb = image.pixels.data() + 3 * y * image.width;
    for (size_t i = 0; i < count; ++i) row.planes[i] = UpsampledRow(components_[i], y, image.width);
    loops_.convert(row);
  }
  for (Component& component : components_) component.samples.ReleaseAbove(kScratchBytesMax);

  const Orientation orientation = OrientationFromExif(apply_orientation ? geometry.orientation : 1);
  if (orientation.mirror_x || orientation.mirror_y || orientation.transposed)
    return Oriented(image, orientation);
  return image;
}

}  // namespace freqstore

// The images of reference_render.h at k/8 of their size.
#include <algorithm>
#include <array>
#include <functional>
#include <type_traits>

#include "gpu/cpu/render/reference_component.h"
#include "gpu/cpu/render/reference_render.h"
#include "gpu/kernels/color_model.h"
#include "gpu/kernels/islow_transform.h"
#include "gpu/kernels/orientation.h"
#include "gpu/kernels/reduced_transform.h"
#include "gpu/kernels/upsample.h"

namespace freqstore {
namespace {

using Component = ReferenceComponent;

struct Plane {
  int64_t width = 0;
  int64_t height = 0;
  std::vector<uint8_t> values;
  uint8_t At(int64_t x, int64_t y) const { return values[static_cast<size_t>(y * width + x)]; }
};

using RgbBytes = std::array<uint8_t, 3>;

// Bytes of the components to R, G, B.
RgbBytes BytesOf(ColorModel color, int32_t (&x)[kComponentsMax]) {
  VisitColorModel(color, [&x](auto model) { ToRgbBytes<decltype(model)::value>(x); });
  return {static_cast<uint8_t>(x[0]), static_cast<uint8_t>(x[1]), static_cast<uint8_t>(x[2])};
}

// An image of the displayed size from a function of the coded position.
RgbImage MakeImage(int64_t coded_width, int64_t coded_height, const Orientation& orientation,
                   const std::function<RgbBytes(PixelPosition)>& pixel) {
  RgbImage image;
  image.width = static_cast<uint32_t>(orientation.transposed ? coded_height : coded_width);
  image.height = static_cast<uint32_t>(orientation.transposed ? coded_width : coded_height);
  for (int64_t y = 0; y < image.height; ++y) {
    for (int64_t x = 0; x < image.width; ++x) {
      const RgbBytes rgb = pixel(CodedPosition(orientation, coded_width, coded_height, {x, y}));
      image.pixels.insert(image.pixels.end(), rgb.begin(), rgb.end());
    }
  }
  return image;
}

// Position of a reduced pixel's centre along a component's axis: block, and t inside it.
struct BlockPosition {
  int64_t block;
  double t;
  int side;
};

BlockPosition Locate(const ComponentAxis& axis, int k, int64_t pixel) {
  const double center = (static_cast<double>(pixel) + 0.5) * 8 / k * axis.samp / axis.samp_max;
  const int64_t block = std::min<int64_t>(static_cast<int64_t>(center / 8), (axis.samples() - 1) / 8);
  const int points = (k * axis.samp_max + axis.samp - 1) / axis.samp;
  return {block, center - static_cast<double>(block) * 8, std::min(kBlockSide, points)};
}

// ReducedTransform of a number of points known at run time only.
void TransformPoints(int points, int32_t* x) {
  const auto transform = [x]<int N>(std::integral_constant<int, N>) {
    int32_t values[N];
    std::copy_n(x, N, values);
    ReducedTransform<N>(values);
    std::copy_n(values, N, x);
  };
  switch (points) {
    case 2:
      return transform(std::integral_constant<int, 2>());
    case 3:
      return transform(std::integral_constant<int, 3>());
    case 4:
      return transform(std::integral_constant<int, 4>());
    case 5:
      return transform(std::integral_constant<int, 5>());
    case 6:
      return transform(std::integral_constant<int, 6>());
    case 7:
      return transform(std::integral_constant<int, 7>());
    case 8:
      return transform(std::integral_constant<int, 8>());
    default:
      return;
  }
}

// The sample of a component that is one pixel of the reduced image.
int32_t PointAt(const Component& component, int k, PixelPosition pixel) {
  const int points_x = ReducedPoints(k, component.x.samp, component.x.samp_max);
  const int points_y = ReducedPoints(k, component.y.samp, component.y.samp_max);
  int32_t row[kBlockSide];
  for (int u = 0; u < points_x; ++u) {
    int32_t column[kBlockSide];
    for (int v = 0; v < points_y; ++v)
      column[v] =
          component.BoundedCoefficient(pixel.x / points_x, pixel.y / points_y, u, v, kReducedInputMax) *
          (1 << kReducedOneShift);
    TransformPoints(points_y, column);
    row[u] = column[pixel.y % points_y];
  }
  row[0] = AddSaturated(row[0], kReducedBias);
  TransformPoints(points_x, row);
  return ClampToByte(row[pixel.x % points_x] >> kReducedSampleShift);
}

Plane IslowSamples(const Component& component) {
  Plane plane{component.x.samples(), component.y.samples(), {}};
  plane.values.resize(static_cast<size_t>(plane.width * plane.height));
  for (int64_t block_y = 0; block_y * 8 < plane.height; ++block_y) {
    for (int64_t block_x = 0; block_x * 8 < plane.width; ++block_x) {
      int32_t rows[8][8];
      for (int u = 0; u < 8; ++u) {
        int32_t column[8];
        for (int v = 0; v < 8; ++v)
          column[v] = component.BoundedCoefficient(block_x, block_y, u, v, kIslowInputMax);
        IslowColumns(column);
        for (int y = 0; y < 8; ++y) rows[y][u] = column[y];
      }
      for (int y = 0; y < 8; ++y) {
        IslowRows(rows[y]);
        for (int x = 0; x < 8; ++x) {
          const int64_t sample_x = block_x * 8 + x;
          const int64_t sample_y = block_y * 8 + y;
          if (sample_x >= plane.width || sample_y >= plane.height) continue;
          plane.values[static_cast<size_t>(sample_y * plane.width + sample_x)] =
              static_cast<uint8_t>(rows[y][x]);
        }
      }
    }
  }
  return plane;
}

// The component's value at a pixel of the full-size image.
int32_t Upsampled(const Component& component, const Plane& plane, PixelPosition pixel) {
  const ComponentAxis& x = component.x;
  const ComponentAxis& y = component.y;
  const auto at = [&plane](int64_t sample_x, int64_t sample_y) -> int32_t {
    return plane.At(sample_x, sample_y);
  };
  if (x.samp_max % x.samp != 0 || y.samp_max % y.samp != 0) {
    const LinearPosition across = LocateLinear(pixel.x, x.samp, x.samp_max, plane.width);
    const LinearPosition down = LocateLinear(pixel.y, y.samp, y.samp_max, plane.height);
    return UpsampleLinear(across, down,
                          {{at(across.low, down.low), at(across.high, down.low)},
                           {at(across.low, down.high), at(across.high, down.high)}});
  }
  const int ratio_x = x.samp_max / x.samp;
  const int ratio_y = y.samp_max / y.samp;
  const PixelPosition near{pixel.x / ratio_x, pixel.y / ratio_y};
  const bool right = pixel.x % 2 == 1;
  const bool lower = pixel.y % 2 == 1;
  const PixelPosition far{std::clamp<int64_t>(near.x + (right ? 1 : -1), 0, plane.width - 1),
                          std::clamp<int64_t>(near.y + (lower ? 1 : -1), 0, plane.height - 1)};
  if (ratio_x == 1 && ratio_y == 2) return UpsampleH1V2(at(near.x, near.y), at(near.x, far.y), lower);
  if (ratio_x == 2 && ratio_y == 1 && plane.width > 2) {
    return UpsampleH2V1(at(near.x, near.y), at(far.x, near.y), right);
  }
  if (ratio_x == 2 && ratio_y == 2 && plane.width > 2) {
    return UpsampleH2V2(UpsampleColumnSum(at(near.x, near.y), at(near.x, far.y)),
                        UpsampleColumnSum(at(far.x, near.y), at(far.x, far.y)), right);
  }
  return at(near.x, near.y);
}

RgbImage RenderFullSize(const ImageGeometry& geometry, const std::vector<Component>& components,
                        const Orientation& orientation) {
  std::vector<Plane> samples;
  for (const Component& component : components) samples.push_back(IslowSamples(component));
  return MakeImage(geometry.width, geometry.height, orientation, [&](PixelPosition at) {
    int32_t values[kComponentsMax] = {};
    for (size_t c = 0; c < components.size(); ++c) values[c] = Upsampled(components[c], samples[c], at);
    return BytesOf(geometry.color, values);
  });
}

int64_t ReducedSize(uint32_t size, int k) {
  return (int64_t{size} * k + 7) / 8;
}

// Every component is a whole number of points a block.
RgbImage RenderPoints(const ImageGeometry& geometry, const std::vector<Component>& components, int k,
                      const Orientation& orientation) {
  return MakeImage(ReducedSize(geometry.width, k), ReducedSize(geometry.height, k), orientation,
                   [&](PixelPosition at) {
                     int32_t values[kComponentsMax] = {};
                     for (size_t c = 0; c < components.size(); ++c) values[c] = PointAt(components[c], k, at);
                     return BytesOf(geometry.color, values);
                   });
}

// A pixel is each component's cosine series at its centre.
RgbImage RenderSeries(const ImageGeometry& geometry, const std::vector<Component>& components, int k,
                      const Orientation& orientation) {
  return MakeImage(ReducedSize(geometry.width, k), ReducedSize(geometry.height, k), orientation,
                   [&](PixelPosition at) {
                     std::array<double, kComponentsMax> values{};
                     for (size_t c = 0; c < components.size(); ++c) {
                       const BlockPosition x = Locate(components[c].x, k, at.x);
                       const BlockPosition y = Locate(components[c].y, k, at.y);
                       values[c] = components[c].At(x.block, y.block, x.t, y.t, x.side, y.side);
                     }
                     RgbBytes bytes{};
                     const std::array<float, 3> rgb = ColorOf(geometry.color, values);
                     for (size_t i = 0; i < 3; ++i)
                       bytes[i] = static_cast<uint8_t>(ClampToByteRange(rgb[i]) + 0.5f);
                     return bytes;
                   });
}

}  // namespace

RgbImage ReferenceRenderReduced(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                                int k, bool apply_orientation) {
  const Orientation orientation = OrientationFromExif(apply_orientation ? geometry.orientation : 1);
  const std::vector<Component> components = ColorComponents(geometry, planes);
  if (k == kBlockSide) return RenderFullSize(geometry, components, orientation);
  const auto has_points = [k](const Component& component) {
    return ReducedPoints(k, component.x.samp, component.x.samp_max) > 0 &&
           ReducedPoints(k, component.y.samp, component.y.samp_max) > 0;
  };
  return std::ranges::all_of(components, has_points) ? RenderPoints(geometry, components, k, orientation)
                                                     : RenderSeries(geometry, components, k, orientation);
}

}  // namespace freqstore

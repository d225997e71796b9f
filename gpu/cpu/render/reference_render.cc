#include "gpu/cpu/render/reference_render.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "gpu/kernels/axis_operator.h"
#include "gpu/kernels/color.h"
#include "gpu/kernels/cosine_basis.h"
#include "gpu/kernels/interpolation.h"
#include "gpu/kernels/islow_transform.h"
#include "gpu/kernels/match_gain.h"
#include "gpu/kernels/orientation.h"
#include "gpu/kernels/placement.h"
#include "gpu/kernels/triangle_filter.h"
#include "gpu/kernels/upsample.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

// One component: its coefficients, read one by one.
class Component {
 public:
  Component(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes, size_t index)
      : x(HorizontalAxis(geometry, index)),
        y(VerticalAxis(geometry, index)),
        geometry_(geometry.components[index]),
        planes_(planes[index]) {}

  // The dequantised coefficient of a block, 0 if it was not kept.
  int Coefficient(int64_t block_x, int64_t block_y, int u, int v) const {
    const size_t z = kNaturalToZigzag[static_cast<size_t>(8 * v + u)];
    if (!planes_.frequencies().Contains(static_cast<int>(z))) return 0;
    const auto block = static_cast<size_t>(block_y * geometry_.grid.width_blocks + block_x);
    return planes_.value(static_cast<int>(z), block) * geometry_.quant[z];
  }

  // The block's cosine series at (t_x, t_y), cut to frequencies below the sides; centred on 0.
  double At(int64_t block_x, int64_t block_y, double t_x, double t_y, int side_x, int side_y) const {
    double sum = 0;
    for (int v = 0; v < side_y; ++v) {
      for (int u = 0; u < side_x; ++u) {
        sum += Coefficient(block_x, block_y, u, v) * CosineBasis(u, t_x) * CosineBasis(v, t_y);
      }
    }
    return sum;
  }

  // Of the smallest square that holds the kept frequencies.
  int Side() const {
    int side = 1;
    for (int z = 0; z < kFrequencies; ++z) {
      if (planes_.frequencies().Contains(z)) {
        side = std::max({side, HorizontalFrequency(z) + 1, VerticalFrequency(z) + 1});
      }
    }
    return side;
  }

  ComponentAxis x;
  ComponentAxis y;

 private:
  const ComponentGeometry& geometry_;
  const CoefficientPlanes& planes_;
};

template <typename T>
struct Plane {
  int64_t width = 0;
  int64_t height = 0;
  std::vector<T> values;
  T At(int64_t x, int64_t y) const { return values[static_cast<size_t>(y * width + x)]; }
};

std::vector<Component> ColorComponents(const ImageGeometry& geometry,
                                       std::span<const CoefficientPlanes> planes) {
  std::vector<Component> components;
  const size_t count = geometry.color == ColorModel::kGrayscale ? 1 : 3;
  for (size_t c = 0; c < count; ++c) components.emplace_back(geometry, planes, c);
  return components;
}

// The samples that a resize starts from, over an extent that need not be whole.
struct Samples {
  double extent_x;
  double extent_y;
  Plane<double> plane;
};

int64_t ReducedSize(const ComponentAxis& axis, int points) {
  return static_cast<int64_t>(std::ceil(axis.extent() * points / kBlockSide - 1e-9));
}

Plane<double> InverseTransform(const Component& component) {
  Plane<double> plane{component.x.samples(), component.y.samples(), {}};
  for (int64_t y = 0; y < plane.height; ++y) {
    for (int64_t x = 0; x < plane.width; ++x) {
      const double t_x = static_cast<double>(x % 8) + 0.5;
      const double t_y = static_cast<double>(y % 8) + 0.5;
      plane.values.push_back(component.At(x / 8, y / 8, t_x, t_y, kBlockSide, kBlockSide));
    }
  }
  return plane;
}

// The 8-point transform at the image's own size: subsampled components are interpolated.
Samples FullSize(const Component& component) {
  const Plane<double> own = InverseTransform(component);
  Samples samples{double(component.x.image_size),
                  double(component.y.image_size),
                  {component.x.image_size, component.y.image_size, {}}};
  for (int64_t y = 0; y < samples.plane.height; ++y) {
    const Interpolation down = Interpolate(y, double(component.y.samp_max) / component.y.samp, own.height);
    for (int64_t x = 0; x < samples.plane.width; ++x) {
      const Interpolation across = Interpolate(x, double(component.x.samp_max) / component.x.samp, own.width);
      const auto row = [&](int64_t sample_y) {
        return own.At(across.lower, sample_y) * (1 - across.upper_weight) +
               own.At(across.upper, sample_y) * across.upper_weight;
      };
      samples.plane.values.push_back(row(down.lower) * (1 - down.upper_weight) +
                                     row(down.upper) * down.upper_weight);
    }
  }
  return samples;
}

// The transform of as many points as the kept square has a side, with the match gains.
Samples MatchedTransform(const Component& component, const ImageSampling& sampling) {
  const int points = component.Side();
  Samples samples{component.x.extent() * points / kBlockSide,
                  component.y.extent() * points / kBlockSide,
                  {ReducedSize(component.x, points), ReducedSize(component.y, points), {}}};
  const double scale_x = component.x.extent() / sampling.x.resized;
  const double scale_y = component.y.extent() / sampling.y.resized;
  for (int64_t y = 0; y < samples.plane.height; ++y) {
    for (int64_t x = 0; x < samples.plane.width; ++x) {
      const double t_x = (static_cast<double>(x % points) + 0.5) * 8 / points;
      const double t_y = (static_cast<double>(y % points) + 0.5) * 8 / points;
      double sum = 0;
      for (int v = 0; v < points; ++v) {
        for (int u = 0; u < points; ++u) {
          sum += component.Coefficient(x / points, y / points, u, v) * MatchGain(u, points, scale_x) *
                 CosineBasis(u, t_x) * MatchGain(v, points, scale_y) * CosineBasis(v, t_y);
        }
      }
      samples.plane.values.push_back(sum);
    }
  }
  return samples;
}

double Resized(const Samples& samples, const ImageSampling& sampling, PixelPosition pixel) {
  const Plane<double>& plane = samples.plane;
  const TriangleWindow across =
      MakeTriangleWindow(samples.extent_x, plane.width, sampling.x.resized, pixel.x);
  const TriangleWindow down = MakeTriangleWindow(samples.extent_y, plane.height, sampling.y.resized, pixel.y);
  double sum = 0;
  double total = 0;
  for (int64_t y = down.first; y < down.last; ++y) {
    for (int64_t x = across.first; x < across.last; ++x) {
      const double weight = TriangleWeight(down, y) * TriangleWeight(across, x);
      sum += weight * plane.At(x, y);
      total += weight;
    }
  }
  return sum / total;
}

// Values centred on 0 to R, G, B.
std::array<float, 3> ToRgb(ColorModel color, std::span<const double> values) {
  const auto first = static_cast<float>(values[0] + 128);
  if (color == ColorModel::kGrayscale) return {first, first, first};
  std::array<float, 3> rgb{first, static_cast<float>(values[1]), static_cast<float>(values[2])};
  if (color == ColorModel::kYCbCr) {
    YCbCrToRgb(rgb[0], rgb[1], rgb[2]);
  } else {
    rgb[1] += 128;
    rgb[2] += 128;
  }
  return rgb;
}

using RgbBytes = std::array<uint8_t, 3>;

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

Plane<uint8_t> IslowSamples(const Component& component) {
  Plane<uint8_t> plane{component.x.samples(), component.y.samples(), {}};
  plane.values.resize(static_cast<size_t>(plane.width * plane.height));
  for (int64_t block_y = 0; block_y * 8 < plane.height; ++block_y) {
    for (int64_t block_x = 0; block_x * 8 < plane.width; ++block_x) {
      int32_t rows[8][8];
      for (int u = 0; u < 8; ++u) {
        int32_t column[8];
        for (int v = 0; v < 8; ++v) column[v] = component.Coefficient(block_x, block_y, u, v);
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
int32_t Upsampled(const Component& component, const Plane<uint8_t>& plane, PixelPosition pixel) {
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
  std::vector<Plane<uint8_t>> samples;
  for (const Component& component : components) samples.push_back(IslowSamples(component));
  return MakeImage(geometry.width, geometry.height, orientation, [&](PixelPosition at) {
    std::array<int32_t, 3> rgb{};
    for (size_t c = 0; c < components.size(); ++c) rgb[c] = Upsampled(components[c], samples[c], at);
    if (geometry.color == ColorModel::kGrayscale) rgb[1] = rgb[2] = rgb[0];
    if (geometry.color == ColorModel::kYCbCr) YCbCrToRgbBytes(rgb[0], rgb[1], rgb[2]);
    return RgbBytes{static_cast<uint8_t>(rgb[0]), static_cast<uint8_t>(rgb[1]), static_cast<uint8_t>(rgb[2])};
  });
}

}  // namespace

absl::StatusOr<std::vector<float>> ReferenceRender(const ImageGeometry& geometry,
                                                   std::span<const CoefficientPlanes> planes,
                                                   bool match_weights, const RenderSpec& spec) {
  ASSIGN_OR_RETURN(const ImageSampling sampling,
                   SampleResized(geometry, spec.resize, spec.apply_orientation));
  const Orientation orientation = OrientationFromExif(spec.apply_orientation ? geometry.orientation : 1);
  const std::vector<Component> components = ColorComponents(geometry, planes);
  std::vector<Samples> samples;
  for (size_t c = 0; c < components.size(); ++c) {
    const bool chroma = c > 0 && geometry.color == ColorModel::kYCbCr;
    samples.push_back(match_weights && !chroma ? MatchedTransform(components[c], sampling)
                                               : FullSize(components[c]));
  }

  const AxisSampling& display_x = sampling.transposed ? sampling.y : sampling.x;
  const AxisSampling& display_y = sampling.transposed ? sampling.x : sampling.y;
  const size_t plane_size = size_t{display_x.count} * display_y.count;
  std::vector<float> out(3 * plane_size);
  for (size_t y = 0; y < display_y.count; ++y) {
    for (size_t x = 0; x < display_x.count; ++x) {
      const PixelPosition displayed{static_cast<int64_t>(display_x.first + x),
                                    static_cast<int64_t>(display_y.first + y)};
      const PixelPosition coded =
          CodedPosition(orientation, sampling.x.resized, sampling.y.resized, displayed);
      std::array<double, 3> values{};
      for (size_t c = 0; c < components.size(); ++c) {
        values[c] = Resized(samples[c], sampling, coded);
      }
      const std::array<float, 3> rgb = ToRgb(geometry.color, values);
      for (size_t channel = 0; channel < 3; ++channel) {
        const size_t position = spec.bgr ? 2 - channel : channel;
        out[position * plane_size + y * display_x.count + x] =
            Normalize(rgb[channel], spec.mean[position], spec.scale[position]);
      }
    }
  }
  return out;
}

RgbImage ReferenceRenderReduced(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                                int k, bool apply_orientation) {
  const Orientation orientation = OrientationFromExif(apply_orientation ? geometry.orientation : 1);
  const std::vector<Component> components = ColorComponents(geometry, planes);
  if (k == kBlockSide) return RenderFullSize(geometry, components, orientation);
  const int64_t width = (int64_t{geometry.width} * k + 7) / 8;
  const int64_t height = (int64_t{geometry.height} * k + 7) / 8;
  return MakeImage(width, height, orientation, [&](PixelPosition at) {
    std::array<double, 3> values{};
    for (size_t c = 0; c < components.size(); ++c) {
      const BlockPosition x = Locate(components[c].x, k, at.x);
      const BlockPosition y = Locate(components[c].y, k, at.y);
      values[c] = components[c].At(x.block, y.block, x.t, y.t, x.side, y.side);
    }
    RgbBytes bytes{};
    const std::array<float, 3> rgb = ToRgb(geometry.color, values);
    for (size_t i = 0; i < 3; ++i) bytes[i] = static_cast<uint8_t>(ClampToByteRange(rgb[i]) + 0.5f);
    return bytes;
  });
}

}  // namespace freqstore

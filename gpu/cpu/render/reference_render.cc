#include "gpu/cpu/render/reference_render.h"

#include <array>
#include <cmath>

#include "gpu/cpu/render/reference_component.h"
#include "gpu/kernels/color.h"
#include "gpu/kernels/interpolation.h"
#include "gpu/kernels/match_gain.h"
#include "gpu/kernels/orientation.h"
#include "gpu/kernels/placement.h"
#include "gpu/kernels/triangle_filter.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using Component = ReferenceComponent;

struct Plane {
  int64_t width = 0;
  int64_t height = 0;
  std::vector<double> values;
  double At(int64_t x, int64_t y) const { return values[static_cast<size_t>(y * width + x)]; }
};

// The samples that a resize starts from, over an extent that need not be whole.
struct Samples {
  double extent_x;
  double extent_y;
  Plane plane;
};

int64_t ReducedSize(const ComponentAxis& axis, int points) {
  return static_cast<int64_t>(std::ceil(axis.extent() * points / kBlockSide - 1e-9));
}

Plane InverseTransform(const Component& component) {
  Plane plane{component.x.samples(), component.y.samples(), {}};
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
  const Plane own = InverseTransform(component);
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
  const Plane& plane = samples.plane;
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
    samples.push_back(match_weights && !IsChroma(geometry.color, c)
                          ? MatchedTransform(components[c], sampling)
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
      std::array<double, kComponentsMax> values{};
      for (size_t c = 0; c < components.size(); ++c) {
        values[c] = Resized(samples[c], sampling, coded);
      }
      const std::array<float, 3> rgb = ColorOf(geometry.color, values);
      for (size_t channel = 0; channel < 3; ++channel) {
        const size_t position = spec.bgr ? 2 - channel : channel;
        out[position * plane_size + y * display_x.count + x] =
            Normalize(rgb[channel], spec.mean[position], spec.scale[position]);
      }
    }
  }
  return out;
}

}  // namespace freqstore

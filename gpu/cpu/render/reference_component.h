// What the plain references read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/kernels/axis_operator.h"
#include "gpu/kernels/color_model.h"
#include "gpu/kernels/cosine_basis.h"
#include "gpu/kernels/dequantize.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// One component of an image: its coefficients, read one by one.
class ReferenceComponent {
 public:
  ReferenceComponent(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes, size_t index)
      : x(HorizontalAxis(geometry, index)),
        y(VerticalAxis(geometry, index)),
        geometry_(geometry.components[index]),
        planes_(planes[index]) {}

  /// The dequantised coefficient of a block, 0 if it was not kept.
  int Coefficient(int64_t block_x, int64_t block_y, int u, int v) const {
    return Value(block_x, block_y, u, v) * geometry_.quant[Zigzag(u, v)];
  }

  /// The same within a bound (gpu/kernels/dequantize.h).
  int BoundedCoefficient(int64_t block_x, int64_t block_y, int u, int v, int32_t magnitude_max) const {
    return Dequantize<int32_t>(Value(block_x, block_y, u, v),
                               MakeBoundedStep(geometry_.quant[Zigzag(u, v)], magnitude_max));
  }

  /// The block's cosine series at (t_x, t_y), cut to frequencies below the sides; centred on 0.
  double At(int64_t block_x, int64_t block_y, double t_x, double t_y, int side_x, int side_y) const {
    double sum = 0;
    for (int v = 0; v < side_y; ++v) {
      for (int u = 0; u < side_x; ++u) {
        sum += Coefficient(block_x, block_y, u, v) * CosineBasis(u, t_x) * CosineBasis(v, t_y);
      }
    }
    return sum;
  }

  /// Of the smallest square that holds the kept frequencies.
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
  static size_t Zigzag(int u, int v) { return kNaturalToZigzag[static_cast<size_t>(8 * v + u)]; }

  int Value(int64_t block_x, int64_t block_y, int u, int v) const {
    const auto z = static_cast<int>(Zigzag(u, v));
    if (!planes_.frequencies().Contains(z)) return 0;
    return planes_.value(z, static_cast<size_t>(block_y * geometry_.grid.width_blocks + block_x));
  }

  const ComponentGeometry& geometry_;
  const CoefficientPlanes& planes_;
};

inline std::vector<ReferenceComponent> ColorComponents(const ImageGeometry& geometry,
                                                       std::span<const CoefficientPlanes> planes) {
  std::vector<ReferenceComponent> components;
  for (size_t c = 0; c < ComponentCount(geometry.color); ++c) components.emplace_back(geometry, planes, c);
  return components;
}

/// Values centred on 0 to R, G, B.
inline std::array<float, 3> ColorOf(ColorModel color, const std::array<double, kComponentsMax>& values) {
  float x[kComponentsMax];
  for (size_t c = 0; c < kComponentsMax; ++c) x[c] = static_cast<float>(values[c]);
  VisitColorModel(color, [&x](auto model) { ToRgb<decltype(model)::value>(x); });
  return {x[0], x[1], x[2]};
}

}  // namespace freqstore

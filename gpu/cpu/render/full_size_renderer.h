// Full-size images with the very pixels that libjpeg-turbo makes: ISLOW transform, fancy upsampling, 8-bit
// colour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/cpu/render/full_size_loops.h"
#include "storage/base/scratch_buffer.h"
#include "gpu/device/device.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// Keeps its scratch memory from image to image. Not thread-safe.
class FullSizeRenderer {
 public:
  explicit FullSizeRenderer(SimdLevel level) : loops_(FullSizeLoopsFor(level)) {}

  /// The planes must be those of the geometry. Chroma is upsampled as libjpeg-turbo does it (2:1 by triangle,
  /// other whole ratios by repetition); ratios that are not whole, which it refuses, are interpolated
  /// linearly.
  RgbImage Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                  bool apply_orientation);

 private:
  // The samples of a component, 8 bits each, and how they become rows of pixels.
  struct Component {
    ScratchBuffer<uint8_t> samples;
    size_t stride = 0;
    size_t width = 0;  // real samples, without the padding of the last block
    size_t height = 0;
    int samp_x = 1;
    int samp_x_max = 1;
    int samp_y = 1;
    int samp_y_max = 1;
    ScratchBuffer<uint8_t> row;  // one row of pixels
  };

  void TransformComponent(const ComponentGeometry& geometry, const CoefficientPlanes& planes,
                          Component& component);
  const uint8_t* UpsampledRow(Component& component, size_t y, size_t width);

  const FullSizeLoops& loops_;
  std::array<Component, 3> components_;
};

}  // namespace freqstore

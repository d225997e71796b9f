// Images at k/8 of their size by the inverse transform of few points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/cpu/render/reduced_loops.h"
#include "gpu/device/rgb_image.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"
#include "storage/base/scratch_buffer.h"

namespace freqstore {

/// Goes down the image row by row and transforms each row of blocks as its pixels are needed. A component
/// with a sampling ratio of r becomes r * k points a block and so needs no upsampling. Keeps its scratch
/// memory from image to image. Not thread-safe.
class ReducedRenderer {
 public:
  explicit ReducedRenderer(SimdLevel level) : loops_(ReducedLoopsFor(level)) {}

  /// Whether every component becomes a whole number of points a block, 8 at most.
  static bool Handles(const ImageGeometry& geometry, int k);

  /// The image at k/8 of its size; the planes must be those of the geometry.
  RgbImage Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes, int k,
                  bool apply_orientation);

 private:
  struct Component {
    std::array<CoefficientRow, kFrequencies> frequencies;
    std::array<float, kBlockSide * ReducedWeights(kBlockSide)> weights_y;
    ReducedBlockRow row{};
    size_t width_blocks = 0;
    size_t height_blocks = 0;
    // The rows of blocks that `samples` holds: several if blocks have one point each, for then they are as
    // contiguous as one, else one.
    size_t rows_max = 1;
    size_t first_row = 0;
    ScratchBuffer<float> samples;
  };

  static void Start(const ImageGeometry& geometry, size_t index, const CoefficientPlanes& planes, int k,
                    Component& component);
  const float* PixelRowOf(Component& component, size_t y);

  const ReducedLoops& loops_;
  std::array<Component, 3> components_;
};

}  // namespace freqstore

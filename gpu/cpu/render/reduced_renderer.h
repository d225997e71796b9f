// Images at k/8 of their size by the inverse transform of few points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/cpu/render/full_size_loops.h"
#include "gpu/cpu/render/pixel_rows.h"
#include "gpu/cpu/render/reduced_loops.h"
#include "gpu/device/rgb_image.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"
#include "storage/base/scratch_buffer.h"

namespace freqstore {

/// Goes down the image and transforms some rows of blocks as their pixels are needed. A component with a
/// sampling ratio of r becomes r * k points a block and so needs no upsampling. Keeps its scratch memory from
/// image to image. Not thread-safe.
class ReducedRenderer {
 public:
  explicit ReducedRenderer(SimdLevel level)
      : transform_(ReducedLoopsFor(level)), pixels_(FullSizeLoopsFor(level)) {}

  /// Whether every component becomes a whole number of points a block, 8 at most.
  static bool Handles(const ImageGeometry& geometry, int k);

  /// The image at k/8 of its size; the planes must be those of the geometry.
  RgbImage Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes, int k,
                  bool apply_orientation);

 private:
  struct Component {
    std::array<WordFrequency, kFrequencies> frequencies;
    ReducedBlocks blocks{};
    size_t width_blocks = 0;
    size_t height_blocks = 0;
    // The rows of blocks that `samples` holds, side by side: a row of samples of the first one goes on with
    // that of the second.
    size_t strip_rows = 1;
    size_t first_row = 0;
    ScratchBuffer<uint8_t> samples;
  };

  static void Start(const ImageGeometry& geometry, size_t index, const CoefficientPlanes& planes, int k,
                    Component& component);
  SampleRows RowsFrom(Component& component, size_t y, size_t width) const;

  const ReducedLoops& transform_;
  const FullSizeLoops& pixels_;
  std::array<Component, kComponentsMax> components_;
};

}  // namespace freqstore

// Full-size images with the very pixels that libjpeg-turbo makes: ISLOW transform, fancy upsampling, 8-bit
// colour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/cpu/render/full_size_loops.h"
#include "gpu/device/rgb_image.h"
#include "gpu/kernels/axis_operator.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"
#include "storage/base/scratch_buffer.h"

namespace freqstore {

/// Goes down the image row by row and transforms each row of blocks as its samples are needed: two of them a
/// component are all the memory it takes, and they stay in the cache. Keeps it from image to image. Not
/// thread-safe.
class FullSizeRenderer {
 public:
  explicit FullSizeRenderer(SimdLevel level) : loops_(FullSizeLoopsFor(level)) {}

  /// The planes must be those of the geometry. Chroma is upsampled as libjpeg-turbo does it (2:1 by triangle,
  /// other whole ratios by repetition); ratios that are not whole, which it refuses, are interpolated
  /// linearly.
  RgbImage Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                  bool apply_orientation);

 private:
  struct Component {
    std::array<WordFrequency, kFrequencies> frequencies;
    bool grey = false;  // no frequency is kept
    BlockGrid grid;
    ComponentAxis x;
    ComponentAxis y;
    // Two rows of blocks, one beside the other in turn. A row of samples has a margin to both sides, where it
    // repeats its first and last.
    ScratchBuffer<uint8_t> samples;
    size_t stride = 0;
    std::array<size_t, 2> block_rows{};  // which ones they are
    ScratchBuffer<uint8_t> row;          // one row of pixels
  };

  static void Start(const ImageGeometry& geometry, size_t index, const CoefficientPlanes& planes,
                    Component& component);
  void TransformBlockRow(Component& component, size_t block_row);
  const uint8_t* SampleRow(Component& component, size_t y);
  const uint8_t* PixelRowOf(Component& component, size_t y);
  void InterpolateRow(Component& component, size_t y);

  const FullSizeLoops& loops_;
  std::array<Component, kComponentsMax> components_;
};

}  // namespace freqstore

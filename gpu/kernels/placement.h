// Where the pixels of a rendered image lie in the source: resize rule, crop and orientation, one axis at a
// time.
#pragma once

#include <compare>
#include <cstdint>

#include "absl/status/statusor.h"
#include "gpu/device/render_spec.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// How the output pixels along one axis of the coded image sample it.
///
/// The whole axis becomes `resized` pixels, of which [first, first + count) are rendered; both count in
/// display direction, which is the coded one backwards if `mirrored`.
struct AxisSampling {
  uint32_t resized = 0;
  uint32_t first = 0;
  uint32_t count = 0;
  bool mirrored = false;
  uint8_t reduced_k =
      0;  ///< 0: triangle resize to `resized`; 1..8: the k-point transform, resized = ceil(size * k / 8)
  friend auto operator<=>(const AxisSampling&, const AxisSampling&) = default;
};

/// Both axes of the coded image. `transposed`: the coded x axis is the displayed y axis.
struct ImageSampling {
  AxisSampling x;
  AxisSampling y;
  bool transposed = false;

  uint32_t display_width() const { return transposed ? y.count : x.count; }
  uint32_t display_height() const { return transposed ? x.count : y.count; }
};

/// The sampling that a resize rule asks for. `shortest` sizes the longer side down to whole pixels and
/// centres the crop (half pixels to even), as torchvision's Resize and CenterCrop do. INVALID_ARGUMENT,
/// reason INVALID_RENDER_SPEC, for a rule with a zero size or a crop larger than `shortest`.
absl::StatusOr<ImageSampling> SampleResized(const ImageGeometry& geometry, const ResizeRule& rule,
                                            bool apply_orientation);

/// The sampling of the image at k/8 of its size, k in 1..8.
ImageSampling SampleReduced(const ImageGeometry& geometry, int k, bool apply_orientation);

}  // namespace freqstore

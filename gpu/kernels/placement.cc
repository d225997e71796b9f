#include "gpu/kernels/placement.h"

#include <algorithm>

#include <fmt/format.h>

#include "gpu/kernels/orientation.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

Orientation OrientationOf(const ImageGeometry& geometry, bool apply_orientation) {
  return OrientationFromExif(apply_orientation ? geometry.orientation : 1);
}

uint32_t CenteredFirst(uint32_t resized, uint32_t count) {
  const uint32_t slack = resized - count;
  const uint32_t half = slack / 2;
  return half + (slack % 2 == 1 && half % 2 == 1 ? 1 : 0);
}

AxisSampling ShortestSampling(uint32_t size, uint32_t short_side, uint32_t shortest, uint32_t count) {
  AxisSampling sampling;
  sampling.resized = static_cast<uint32_t>(uint64_t{size} * shortest / short_side);
  sampling.first = CenteredFirst(sampling.resized, count);
  sampling.count = count;
  return sampling;
}

AxisSampling ReducedSampling(uint32_t size, int k) {
  AxisSampling sampling;
  sampling.resized = static_cast<uint32_t>((uint64_t{size} * static_cast<uint32_t>(k) + 7) / 8);
  sampling.count = sampling.resized;
  sampling.reduced_k = static_cast<uint8_t>(k);
  return sampling;
}

ImageSampling Orient(const Orientation& orientation, AxisSampling display_x, AxisSampling display_y) {
  ImageSampling sampling;
  sampling.transposed = orientation.transposed;
  sampling.x = orientation.transposed ? display_y : display_x;
  sampling.y = orientation.transposed ? display_x : display_y;
  sampling.x.mirrored = orientation.mirror_x;
  sampling.y.mirrored = orientation.mirror_y;
  return sampling;
}

}  // namespace

absl::StatusOr<ImageSampling> SampleResized(const ImageGeometry& geometry, const ResizeRule& rule,
                                            bool apply_orientation) {
  if (rule.width == 0 || rule.height == 0) {
    return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_RENDER_SPEC",
                     fmt::format("an image cannot be rendered to {} x {} pixels", rule.width, rule.height));
  }
  const Orientation orientation = OrientationOf(geometry, apply_orientation);
  if (rule.kind == ResizeRule::Kind::kStretch) {
    return Orient(orientation, {.resized = rule.width, .first = 0, .count = rule.width},
                  {.resized = rule.height, .first = 0, .count = rule.height});
  }
  if (rule.shortest < std::max(rule.width, rule.height)) {
    return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_RENDER_SPEC",
                     fmt::format("a crop of {} x {} pixels does not fit an image whose shorter side is {}",
                                 rule.width, rule.height, rule.shortest));
  }
  const uint32_t display_width = orientation.transposed ? geometry.height : geometry.width;
  const uint32_t display_height = orientation.transposed ? geometry.width : geometry.height;
  const uint32_t short_side = std::min(display_width, display_height);
  return Orient(orientation, ShortestSampling(display_width, short_side, rule.shortest, rule.width),
                ShortestSampling(display_height, short_side, rule.shortest, rule.height));
}

ImageSampling SampleReduced(const ImageGeometry& geometry, int k, bool apply_orientation) {
  const Orientation orientation = OrientationOf(geometry, apply_orientation);
  const AxisSampling x = ReducedSampling(geometry.width, k);
  const AxisSampling y = ReducedSampling(geometry.height, k);
  return orientation.transposed ? Orient(orientation, y, x) : Orient(orientation, x, y);
}

}  // namespace freqstore

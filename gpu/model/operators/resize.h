// Resize, as every device resolves it.
#pragma once

#include <array>

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// Resizing of the last two of four dimensions; index 0 is the height.
struct ResizeGeometry {
  enum class Coordinates : uint8_t { kHalfPixel, kPytorchHalfPixel, kAlignCorners, kAsymmetric };
  enum class Rounding : uint8_t { kPreferFloor, kPreferCeil, kFloor, kCeil };

  bool linear = false;  ///< else nearest
  Coordinates coordinates = Coordinates::kHalfPixel;
  Rounding rounding = Rounding::kPreferFloor;  ///< nearest only
  std::array<float, 2> scale{};                ///< output over input
  std::array<int64_t, 2> input{};
  std::array<int64_t, 2> output{};

  /// Where in the input, in pixels, the centre of output pixel `i` of dimension `d` lies; may be outside.
  float Source(size_t d, int64_t i) const;
  /// The input pixel that is nearest to it.
  int64_t Nearest(size_t d, int64_t i) const;
};

absl::StatusOr<ResizeGeometry> ResolveResize(const NodeContext& context);

}  // namespace freqstore

// Coefficient memory that goes from batch to batch.
#pragma once

#include <cstddef>
#include <vector>

#include "storage/base/coefficient_planes.h"

namespace freqstore {

/// The planes of one image, one element a component.
using ImagePlanes = std::vector<CoefficientPlanes>;

/// Lends ImagePlanes, whose vectors keep their capacity. Bounded: what is given back beyond kImagesMax
/// images, or is larger than kImageBytesMax, is freed. Not thread-safe.
class CoefficientPool {
 public:
  static constexpr size_t kImagesMax = 64;
  static constexpr size_t kImageBytesMax = size_t{4} << 20;

  /// Planes of unspecified shape and content.
  ImagePlanes Take();
  void GiveBack(ImagePlanes planes);

  size_t size() const { return free_.size(); }

 private:
  std::vector<ImagePlanes> free_;
};

}  // namespace freqstore

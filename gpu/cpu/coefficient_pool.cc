#include "gpu/cpu/coefficient_pool.h"

#include <utility>

namespace freqstore {

ImagePlanes CoefficientPool::Take() {
  if (free_.empty()) return {};
  ImagePlanes planes = std::move(free_.back());
  free_.pop_back();
  return planes;
}

void CoefficientPool::GiveBack(ImagePlanes planes) {
  size_t values = 0;
  for (const CoefficientPlanes& component : planes) {
    values +=
        static_cast<size_t>(component.grid().blocks()) * static_cast<size_t>(component.frequencies().size());
  }
  if (free_.size() >= kImagesMax || values * sizeof(int16_t) > kImageBytesMax) return;
  free_.push_back(std::move(planes));
}

}  // namespace freqstore

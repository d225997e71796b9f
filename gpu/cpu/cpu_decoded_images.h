// Decoded coefficients in host memory.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gpu/cpu/coefficient_pool.h"
#include "gpu/device/device.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// Used by the device's thread only; gives its memory back to the device's pool in the end.
class CpuDecodedImages final : public DecodedImages {
 public:
  explicit CpuDecodedImages(std::shared_ptr<CoefficientPool> pool) : pool_(std::move(pool)) {}
  ~CpuDecodedImages() override {
    for (Image& image : images_) pool_->GiveBack(std::move(image.planes));
  }
  CpuDecodedImages(const CpuDecodedImages&) = delete;
  CpuDecodedImages& operator=(const CpuDecodedImages&) = delete;

  /// Adds an image. `geometry` must outlive this object; it is null where there is no such image.
  void Add(const ImageGeometry* geometry, ImagePlanes planes, bool match_weights, absl::Status status) {
    images_.push_back({geometry, std::move(planes), match_weights, std::move(status)});
  }

  size_t size() const override { return images_.size(); }
  const absl::Status& status(size_t index) const override { return images_[index].status; }

  /// Of an image whose status is OK.
  const ImageGeometry& geometry(size_t index) const { return *images_[index].geometry; }
  const ImagePlanes& planes(size_t index) const { return images_[index].planes; }
  /// Of the cut that the image was decoded with.
  bool match_weights(size_t index) const { return images_[index].match_weights; }

 private:
  struct Image {
    const ImageGeometry* geometry;
    ImagePlanes planes;
    bool match_weights;
    absl::Status status;
  };

  std::shared_ptr<CoefficientPool> pool_;
  std::vector<Image> images_;
};

}  // namespace freqstore

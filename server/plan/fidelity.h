// How much of an image a query reads: the design's decode definition.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/device/render_spec.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

struct Fidelity {
  enum class Level : uint8_t { kExact, kStandard, kReduced, kLossy };
  Level level = Level::kStandard;
  int lossy_side = 0;  ///< kLossy only, 1..8

  /// "exact", "standard", "reduced", "lossy:3".
  std::string ToString() const;
};

/// What is read of one image.
struct PlannedCut {
  int cover = 8;  ///< the smallest k in 1..8 at which k/8 of the image is not below the model's resize, 8 if none is
  ImageCut cut;
};

/// The cut for rendering an image of `geometry` by `spec`. Sides and sizes are compared in display orientation.
PlannedCut CutForModel(const ImageGeometry& geometry, const RenderSpec& spec, const Fidelity& fidelity);

/// The cut for a reduced image at k/8: k x k of luma, and of subsampled chroma up to 2k x 2k, as in libjpeg-turbo.
ImageCut CutForScale(const ImageGeometry& geometry, int k);

/// The low side x side frequencies of every component.
ImageCut SquareCut(const ImageGeometry& geometry, int side);

}  // namespace freqstore

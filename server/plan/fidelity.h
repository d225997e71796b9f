// How much of an image a query reads.
//
// Cover is the smallest k in 1..8 at which k/8 of the image is not below the size that the model's
// preprocessing resizes to. Of luma, a level keeps frequencies (u, v) by their distance from it; of chroma,
// enough for half the model's resolution, never DC alone. All components of RGB and CMYK count as luma, and
// so does the K of YCCK; a subsampled one keeps as much of the image's resolution as the others. Top-1 on
// 1,000 ImageNet validation images of 227x227, by level:
//
//                                    full    exact   standard   u+v<=cover+1
//     mobilenet_v1_0.25, 128         50.0    50.3    49.5       49.2
//     mobilenet_v1_0.5, 160          65.9    65.9    66.1       65.6
//     mobilenet_v1_0.75, 192         74.8    74.8    74.7       74.8
//     mobilenet_v2_1.0, 224          79.0    79.0    78.6       78.4 (77.5 where the sum is also held to 8)
//
// so `standard` cuts one diagonal later than the square alone suggests, and its diagonal goes on past 8.
// `exact` keeps two frequencies beyond the cover: with one, mobilenet_v1_0.25 falls to 49.7.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/device/render_spec.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

struct Fidelity {
  enum class Level : uint8_t {
    kExact,     ///< u, v < cover + 2; all the chroma that this needs
    kStandard,  ///< u, v < cover + 1 and u + v <= cover + 2
    kReduced,   ///< u, v < cover
    kLossy,     ///< u, v < lossy_side
  };
  Level level = Level::kStandard;
  int lossy_side = 0;  ///< kLossy only, 1..8

  /// "exact", "standard", "reduced", "lossy:3".
  std::string ToString() const;
};

/// What is read of one image.
struct PlannedCut {
  int cover =
      8;  ///< the smallest k in 1..8 at which k/8 of the image is not below the model's resize, 8 if none is
  ImageCut cut;
};

/// The cut for rendering an image of `geometry` by `spec`. Sides and sizes are compared in display
/// orientation.
PlannedCut CutForModel(const ImageGeometry& geometry, const RenderSpec& spec, const Fidelity& fidelity);

/// The cut for a reduced image at k/8: k x k of luma, and of subsampled chroma up to 2k x 2k, as in
/// libjpeg-turbo.
ImageCut CutForScale(const ImageGeometry& geometry, int k);

/// The low side x side frequencies of every component.
ImageCut SquareCut(const ImageGeometry& geometry, int side);

}  // namespace freqstore

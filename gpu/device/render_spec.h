// How coefficients become the pixels that a model, or a person, looks at.
#pragma once

#include <array>
#include <cstdint>

#include "storage/base/dct.h"
#include "storage/codec/column.h"

namespace freqstore {

/// The frequencies kept of one component: u < side, v < side, u + v <= diagonal.
struct FrequencyCut {
  uint8_t side = 0;  ///< 0..8; 0 leaves the component out (it renders as mid-grey)
  uint8_t diagonal = 14;
  FrequencySet frequencies() const { return FrequencySet::Cut(side, diagonal); }
  friend bool operator==(const FrequencyCut&, const FrequencyCut&) = default;
};

/// What is kept of an image: one cut a component.
struct ImageCut {
  std::array<FrequencyCut, kComponentsMax> components;
  /// Below the cover: k-point inverse transform of the luma square and a resize from there, each frequency
  /// weighted by the response of the full-size triangle filter over that of the reduced one. Otherwise the
  /// 8-point transform.
  bool match_weights = false;
  ColumnSet columns() const {
    ColumnSet set;
    for (size_t c = 0; c < components.size(); ++c) set.components[c] = components[c].frequencies();
    return set;
  }
  friend bool operator==(const ImageCut&, const ImageCut&) = default;
};

/// The resize rule of a model's preprocessing. All sizes are in pixels of the displayed (oriented) image.
struct ResizeRule {
  enum class Kind : uint8_t {
    kStretch,   ///< the whole image to width x height, aspect ratio not kept
    kShortest,  ///< the shorter side to `shortest`, then the central width x height of that
  };
  Kind kind = Kind::kStretch;
  uint32_t width = 0;  ///< of the tensor
  uint32_t height = 0;
  uint32_t shortest = 0;  ///< kShortest only; at least max(width, height)
  friend bool operator==(const ResizeRule&, const ResizeRule&) = default;
};

/// Pixels as a model wants them: NCHW float32, value = (pixel - mean) * scale with pixels in 0..255.
struct RenderSpec {
  ResizeRule resize;
  bool bgr = false;             ///< channel order B, G, R instead of R, G, B
  std::array<float, 3> mean{};  ///< a channel, in tensor order
  std::array<float, 3> scale{1.f, 1.f, 1.f};
  bool apply_orientation = true;  ///< EXIF
};

}  // namespace freqstore

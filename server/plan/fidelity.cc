#include "server/plan/fidelity.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"

namespace freqstore {
namespace {

/// Sizes along the two axes of the coded (not yet oriented) image.
struct Axes {
  std::array<double, 2> image;   ///< pixels: width, height
  std::array<double, 2> resize;  ///< R: the size that preprocessing resizes that axis to
};

Axes AxesOf(const ImageGeometry& geometry, const RenderSpec& spec) {
  const double width = geometry.width;
  const double height = geometry.height;
  if (spec.resize.kind == ResizeRule::Kind::kShortest) {
    const double factor = spec.resize.shortest / std::min(width, height);
    return {{width, height}, {width * factor, height * factor}};
  }
  Axes axes{{width, height}, {double(spec.resize.width), double(spec.resize.height)}};
  if (spec.apply_orientation && geometry.transposed()) std::swap(axes.resize[0], axes.resize[1]);
  return axes;
}

/// How many pixels of the image one sample of the component stands for, along the two axes.
std::array<double, 2> SubsamplingOf(const ImageGeometry& geometry, const ComponentGeometry& component) {
  return {double(geometry.h_samp_max()) / component.h_samp, double(geometry.v_samp_max()) / component.v_samp};
}

// Rounding must not push a size that fits exactly over the edge.
constexpr double kSlack = 1e-9;

/// The smallest k in [first, 8] with k/8 of the component's samples at least `share` of R on both axes; 8 if
/// none.
int SmallestSide(const Axes& axes, std::array<double, 2> subsampling, double share, int first) {
  for (int k = first; k < kBlockSide; ++k) {
    const auto fits = [&](size_t axis) {
      return axes.image[axis] * k / (kBlockSide * subsampling[axis]) >= axes.resize[axis] * share - kSlack;
    };
    if (fits(0) && fits(1)) return k;
  }
  return kBlockSide;
}

/// The number of a component's own frequencies that reach as far as `frequencies` of the image do, `most` at
/// most.
uint8_t Scaled(int frequencies, std::array<double, 2> subsampling, int most = kBlockSide) {
  const double scaled = frequencies * std::max(subsampling[0], subsampling[1]);
  return static_cast<uint8_t>(std::min<double>(most, scaled + 0.999));
}

}  // namespace

std::string Fidelity::ToString() const {
  switch (level) {
    case Level::kExact:
      return "exact";
    case Level::kStandard:
      return "standard";
    case Level::kReduced:
      return "reduced";
    case Level::kLossy:
      break;
  }
  return fmt::format("lossy:{}", lossy_side);
}

PlannedCut CutForModel(const ImageGeometry& geometry, const RenderSpec& spec, const Fidelity& fidelity) {
  const Axes axes = AxesOf(geometry, spec);
  PlannedCut planned;
  planned.cover = SmallestSide(axes, {1.0, 1.0}, 1.0, 1);

  int luma_side = kBlockSide;
  int luma_diagonal = 2 * (kBlockSide - 1);
  switch (fidelity.level) {
    case Fidelity::Level::kExact:
      luma_side = std::min(kBlockSide, planned.cover + 2);
      break;
    case Fidelity::Level::kStandard:
      luma_side = std::min(kBlockSide, planned.cover + 1);
      luma_diagonal = planned.cover + 2;
      break;
    case Fidelity::Level::kReduced:
      luma_side = planned.cover;
      break;
    case Fidelity::Level::kLossy:
      luma_side = std::min(fidelity.lossy_side, planned.cover);
      planned.cut.match_weights = luma_side < planned.cover;
      break;
  }
  for (size_t c = 0; c < geometry.components.size(); ++c) {
    const ComponentGeometry& component = geometry.components[c];
    FrequencyCut& cut = planned.cut.components[c];
    const auto subsampling = SubsamplingOf(geometry, component);
    if (!IsChroma(geometry.color, c)) {
      cut = {Scaled(luma_side, subsampling), Scaled(luma_diagonal, subsampling, 2 * (kBlockSide - 1))};
    } else if (fidelity.level == Fidelity::Level::kExact) {
      cut.side = Scaled(luma_side, subsampling);
    } else {
      // Half of R suffices for chroma; DC alone never does.
      cut.side = static_cast<uint8_t>(SmallestSide(axes, subsampling, 0.5, 2));
    }
  }
  return planned;
}

ImageCut CutForScale(const ImageGeometry& geometry, int k) {
  ImageCut cut;
  for (size_t c = 0; c < geometry.components.size(); ++c) {
    const auto subsampling = SubsamplingOf(geometry, geometry.components[c]);
    const double factor = std::clamp(std::max(subsampling[0], subsampling[1]), 1.0, 2.0);
    cut.components[c].side = Scaled(k, {factor, factor});
  }
  return cut;
}

ImageCut SquareCut(const ImageGeometry& geometry, int side) {
  ImageCut cut;
  for (size_t c = 0; c < geometry.components.size(); ++c) cut.components[c].side = static_cast<uint8_t>(side);
  return cut;
}

}  // namespace freqstore

// The decode definition, written down plainly: full-size planes in double precision, pixel by pixel, no
// operators. Slow. Tests and fuzzers hold the Renderer to it.
#pragma once

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/device/device.h"
#include "gpu/device/render_spec.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// Like Renderer::Render; the result has 3 x height x width values. The planes must be those of the geometry.
absl::StatusOr<std::vector<float>> ReferenceRender(const ImageGeometry& geometry,
                                                   std::span<const CoefficientPlanes> planes,
                                                   bool match_weights, const RenderSpec& spec);

/// Like Renderer::RenderReduced. The Renderer's bytes are these, unless a component has no whole number of
/// points a block: such images are rendered in floats, and a value between two bytes may become either.
RgbImage ReferenceRenderReduced(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                                int k, bool apply_orientation);

}  // namespace freqstore

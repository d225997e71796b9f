// Rendering held against the plain reference.
#pragma once

#include <vector>

#include "gpu/device/render_spec.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "tests/gpu/cpu/synthetic_image.h"

namespace freqstore::testutil {

ResizeRule Stretch(uint32_t width, uint32_t height);
ResizeRule ShortestCrop(uint32_t shortest, uint32_t width, uint32_t height);

/// Checks a tensor of what the cut keeps: within 1/100 of 255.
void CheckRender(const TestImage& image, const ImageCut& cut, const RenderSpec& spec, SimdLevel level);

/// Checks the image at k/8: byte for byte where every component is a whole number of points a block.
void CheckReduced(const TestImage& image, const std::vector<CoefficientPlanes>& planes, int k,
                  SimdLevel level);

}  // namespace freqstore::testutil

// The loops of reduced_loops.h in plain C++.
#include "gpu/cpu/render/vectors_scalar.inc"
// The vectors first.
#include "gpu/cpu/render/reduced_transform.inc"
#include "gpu/kernels/color.h"

namespace freqstore {
namespace {

void Convert(const ReducedPixelRow& row) {
  for (size_t i = 0; i < row.count; ++i) {
    float rgb[3] = {row.planes[0][i] + 128.f, 0, 0};
    if (row.color == ColorModel::kGrayscale) {
      rgb[1] = rgb[2] = rgb[0];
    } else {
      rgb[1] = row.planes[1][i];
      rgb[2] = row.planes[2][i];
    }
    if (row.color == ColorModel::kYCbCr) YCbCrToRgb(rgb[0], rgb[1], rgb[2]);
    if (row.color == ColorModel::kRgb) {
      rgb[1] += 128.f;
      rgb[2] += 128.f;
    }
    for (size_t c = 0; c < 3; ++c) row.rgb[3 * i + c] = static_cast<uint8_t>(ClampToByteRange(rgb[c]) + 0.5f);
  }
}

}  // namespace

const ReducedLoops kScalarReducedLoops = {Transform, Convert};

}  // namespace freqstore

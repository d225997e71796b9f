// Instantiates every shared function of gpu/kernels in device code, so that a change that a GPU cannot run
// fails to compile here.
#include <cstdint>

#include "gpu/kernels/color_model.h"
#include "gpu/kernels/cosine_basis.h"
#include "gpu/kernels/dequantize.h"
#include "gpu/kernels/islow_transform.h"
#include "gpu/kernels/match_gain.h"
#include "gpu/kernels/orientation.h"
#include "gpu/kernels/reduced_transform.h"
#include "gpu/kernels/triangle_filter.h"
#include "gpu/kernels/upsample.h"

namespace freqstore {

// One thread a block of 64 natural-order coefficients: 64 samples of 0..255.
__global__ void IslowBlocks(const int16_t* coefficients, const uint16_t* quant, int blocks,
                            uint8_t* samples) {
  const int block = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (block >= blocks) return;
  int32_t rows[8][8];
  for (int u = 0; u < 8; ++u) {
    int32_t column[8];
    for (int v = 0; v < 8; ++v)
      column[v] = Dequantize<int32_t>(coefficients[64 * block + 8 * v + u],
                                      MakeBoundedStep(quant[8 * v + u], kIslowInputMax));
    IslowColumns(column);
    for (int y = 0; y < 8; ++y) rows[y][u] = column[y];
  }
  for (int y = 0; y < 8; ++y) {
    IslowRows(rows[y]);
    for (int x = 0; x < 8; ++x) samples[64 * block + 8 * y + x] = static_cast<uint8_t>(rows[y][x]);
  }
}

// One thread a block of 64 natural-order coefficients, to 3 x 4 samples of a reduced image.
__global__ void ReducedBlocks(const int16_t* coefficients, const uint16_t* quant, int blocks,
                              uint8_t* samples) {
  const int block = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (block >= blocks) return;
  int32_t rows[3][4];
  for (int u = 0; u < 4; ++u) {
    int32_t column[3];
    for (int v = 0; v < 3; ++v) {
      column[v] = Dequantize<int32_t>(coefficients[64 * block + 8 * v + u],
                                      MakeBoundedStep(quant[8 * v + u], kReducedInputMax))
                  << kReducedOneShift;
    }
    ReducedTransform<3>(column);
    for (int y = 0; y < 3; ++y) rows[y][u] = column[y];
  }
  for (int y = 0; y < 3; ++y) {
    ReducedRow<4>(rows[y]);
    for (int x = 0; x < 4; ++x) samples[12 * block + 4 * y + x] = static_cast<uint8_t>(rows[y][x]);
  }
}

// One thread a pixel of any colour model, as floats and as bytes. Planes are centred on 0.
__global__ void ConvertModels(const float* planes, int pixels, ColorModel color, float* rgb, uint8_t* bytes) {
  const int pixel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pixel >= pixels) return;
  float values[kComponentsMax];
  int32_t samples[kComponentsMax];
  for (int c = 0; c < kComponentsMax; ++c) {
    values[c] = planes[c * pixels + pixel];
    samples[c] = static_cast<int32_t>(ClampToByteRange(values[c] + 128.f));
  }
  VisitColorModel(color, [&](auto model) {
    ToRgb<decltype(model)::value>(values);
    ToRgbBytes<decltype(model)::value>(samples);
  });
  for (int c = 0; c < 3; ++c) {
    rgb[3 * pixel + c] = values[c];
    bytes[3 * pixel + c] = static_cast<uint8_t>(samples[c]);
  }
}

// One thread an output pixel of an axis: its weights for the frequencies of the blocks that its window
// touches.
__global__ void ResizeWeights(double extent, int64_t samples, int64_t resized, int side, int blocks_max,
                              float* weights) {
  const int64_t pixel = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (pixel >= resized) return;
  const TriangleWindow window = MakeTriangleWindow(extent, samples, resized, pixel);
  float* row = weights + pixel * blocks_max * side;
  for (int64_t s = window.first; s < window.last; ++s) {
    const int64_t block = s / 8 - window.first / 8;
    for (int u = 0; u < side; ++u) {
      row[block * side + u] +=
          static_cast<float>(TriangleWeight(window, s) * MatchGain(u, 8, window.support) *
                             CosineBasis(u, static_cast<double>(s % 8) + 0.5));
    }
  }
}

// One thread a displayed pixel: colour, orientation and normalisation. Planes are coded, centred on 0.
__global__ void ConvertPixels(const float* planes, int64_t width, int64_t height, int exif, float mean,
                              float scale, float* tensor) {
  const int64_t x = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t y = static_cast<int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  const Orientation orientation = OrientationFromExif(exif);
  const int64_t display_width = orientation.transposed ? height : width;
  const int64_t display_height = orientation.transposed ? width : height;
  if (x >= display_width || y >= display_height) return;
  const PixelPosition coded = CodedPosition(orientation, width, height, {x, y});
  const int64_t from = coded.y * width + coded.x;
  float r = planes[from] + 128.f;
  float g = planes[width * height + from];
  float b = planes[2 * width * height + from];
  YCbCrToRgb(r, g, b);
  const int64_t to = y * display_width + x;
  tensor[to] = Normalize(r, mean, scale);
  tensor[width * height + to] = Normalize(g, mean, scale);
  tensor[2 * width * height + to] = Normalize(b, mean, scale);
}

// One thread a pixel of an h2v2, h2v1, h1v2 or fractional chroma row and its 8-bit colours.
__global__ void UpsamplePixels(const uint8_t* near, const uint8_t* far, int count, int32_t samp,
                               int32_t samp_max, const uint8_t* luma, uint8_t* rgb) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= 2 * count) return;
  const bool right = x % 2 == 1;
  const int i = x / 2;
  const int neighbour = right ? (i + 1 < count ? i + 1 : i) : (i > 0 ? i - 1 : i);
  const LinearPosition across = LocateLinear(x, samp, samp_max, count);
  int32_t r = luma[x];
  int32_t g = UpsampleH2V2<int32_t>(UpsampleColumnSum<int32_t>(near[i], far[i]),
                                    UpsampleColumnSum<int32_t>(near[neighbour], far[neighbour]), right);
  int32_t b = (UpsampleH2V1<int32_t>(near[i], near[neighbour], right) +
               UpsampleH1V2<int32_t>(near[i], far[i], right) +
               UpsampleLinear(across, across, {{near[i], near[neighbour]}, {far[i], far[neighbour]}})) /
              3;
  YCbCrToRgbBytes(r, g, b);
  rgb[3 * x] = static_cast<uint8_t>(r);
  rgb[3 * x + 1] = static_cast<uint8_t>(g);
  rgb[3 * x + 2] = static_cast<uint8_t>(b);
}

}  // namespace freqstore

// Chroma upsampling of full-size images: libjpeg-turbo's "fancy" (triangle) interpolation, bit for bit.
//
// `near` is the chroma sample that lies under the output pixel, `far` the neighbour it leans to: 3/4 near +
// 1/4 far an axis. At an edge the far sample is the near one. T is int32_t or a vector of 16 bits or more.
#pragma once

#include <cstdint>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// Horizontal factor 2, vertical 1. `right` tells which half of the near sample the pixel is in.
template <typename T>
FREQSTORE_HD T UpsampleH2V1(T near, T far, bool right) {
  return (near * 3 + far + (right ? T{} + 2 : T{} + 1)) >> 2;
}

/// Horizontal factor 1, vertical 2.
template <typename T>
FREQSTORE_HD T UpsampleH1V2(T near, T far, bool lower) {
  return (near * 3 + far + (lower ? T{} + 2 : T{} + 1)) >> 2;
}

/// Factor 2 on both axes, vertical step first: 3 * near + far, kept unrounded for UpsampleH2V2.
template <typename T>
FREQSTORE_HD T UpsampleColumnSum(T near, T far) {
  return near * 3 + far;
}
template <typename T>
FREQSTORE_HD T UpsampleH2V2(T near_sum, T far_sum, bool right) {
  return (near_sum * 3 + far_sum + (right ? T{} + 7 : T{} + 8)) >> 4;
}

/// Where a pixel lies between two samples of an axis, pixel and sample centres aligned: at `low` + high_parts
/// / parts.
struct LinearPosition {
  int64_t low = 0;
  int64_t high = 0;
  int32_t high_parts = 0;
  int32_t parts = 1;
};

/// For the ratios of sampling factors that are not whole; libjpeg-turbo refuses those.
FREQSTORE_HD LinearPosition LocateLinear(int64_t pixel, int32_t samp, int32_t samp_max, int64_t samples) {
  const int32_t parts = 2 * samp_max;
  const int64_t position = (2 * pixel + 1) * samp - samp_max;  // in parts
  if (position <= 0) return {0, 0, 0, parts};
  const int64_t low = position / parts;
  if (low >= samples - 1) return {samples - 1, samples - 1, 0, parts};
  return {low, low + 1, static_cast<int32_t>(position % parts), parts};
}

/// Bilinear, rounded half up. Samples are [vertical][horizontal].
FREQSTORE_HD int32_t UpsampleLinear(const LinearPosition& across, const LinearPosition& down,
                                    const int32_t (&samples)[2][2]) {
  const int32_t upper =
      samples[0][0] * (across.parts - across.high_parts) + samples[0][1] * across.high_parts;
  const int32_t lower =
      samples[1][0] * (across.parts - across.high_parts) + samples[1][1] * across.high_parts;
  const int32_t all_parts = across.parts * down.parts;
  return (upper * (down.parts - down.high_parts) + lower * down.high_parts + all_parts / 2) / all_parts;
}

}  // namespace freqstore

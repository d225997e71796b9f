// The 8x8 inverse transform of libjpeg-turbo's ISLOW method (Loeffler, Ligtenberg, Moschytz; 13-bit fixed
// point), one axis at a time: with it a full-size image has the very pixels that other JPEG software shows.
//
// T is int32_t or a vector of it. No input overflows: what goes into a pass is bounded, far outside what real
// images hold.
#pragma once

#include <cstdint>

#include "gpu/kernels/color.h"
#include "gpu/kernels/host_device.h"

namespace freqstore {

inline constexpr int kIslowConstBits = 13;
inline constexpr int kIslowPass1Bits = 2;
inline constexpr int kIslowShift1 = kIslowConstBits - kIslowPass1Bits;
inline constexpr int kIslowShift2 = kIslowConstBits + kIslowPass1Bits + 3;
inline constexpr int32_t kIslowInputMax = 1 << 13;  ///< magnitude of a dequantised coefficient (dequantize.h)

template <typename T>
FREQSTORE_HD T IslowBound(T value, int32_t low, int32_t high) {
  const T lowest = T{} + low;
  const T highest = T{} + high;
  value = value < lowest ? lowest : value;
  return value > highest ? highest : value;
}

/// Transforms in[0..7] into in[0..7] and divides by 2^Shift, rounding half up.
template <int Shift, typename T>
FREQSTORE_HD void IslowTransform(T (&x)[8]) {
  constexpr int32_t kRound = 1 << (Shift - 1);
  const T even_z1 = (x[2] + x[6]) * 4433;
  const T even2 = even_z1 + x[6] * -15137;
  const T even3 = even_z1 + x[2] * 6270;
  const T even0 = (x[0] + x[4]) * (1 << kIslowConstBits);
  const T even1 = (x[0] - x[4]) * (1 << kIslowConstBits);
  const T sum0 = even0 + even3 + kRound;
  const T sum3 = even0 - even3 + kRound;
  const T sum1 = even1 + even2 + kRound;
  const T sum2 = even1 - even2 + kRound;

  const T z5 = (x[7] + x[3] + x[5] + x[1]) * 9633;
  const T z1 = (x[7] + x[1]) * -7373;
  const T z2 = (x[5] + x[3]) * -20995;
  const T z3 = (x[7] + x[3]) * -16069 + z5;
  const T z4 = (x[5] + x[1]) * -3196 + z5;
  const T odd0 = x[7] * 2446 + z1 + z3;
  const T odd1 = x[5] * 16819 + z2 + z4;
  const T odd2 = x[3] * 25172 + z2 + z3;
  const T odd3 = x[1] * 12299 + z1 + z4;

  x[0] = (sum0 + odd3) >> Shift;
  x[7] = (sum0 - odd3) >> Shift;
  x[1] = (sum1 + odd2) >> Shift;
  x[6] = (sum1 - odd2) >> Shift;
  x[2] = (sum2 + odd1) >> Shift;
  x[5] = (sum2 - odd1) >> Shift;
  x[3] = (sum3 + odd0) >> Shift;
  x[4] = (sum3 - odd0) >> Shift;
}

/// The first pass, down a column of dequantised coefficients.
template <typename T>
FREQSTORE_HD void IslowColumns(T (&x)[8]) {
  IslowTransform<kIslowShift1>(x);
}

/// The second pass, along a row of what the first made (saturated to 16 bits), to samples of 0..255.
template <typename T>
FREQSTORE_HD void IslowRows(T (&x)[8]) {
  for (T& value : x) value = IslowBound(value, INT16_MIN, INT16_MAX);
  IslowTransform<kIslowShift2>(x);
  for (T& value : x) value = ClampToByte(value + 128);
}

}  // namespace freqstore

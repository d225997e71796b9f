// Colour conversion and normalisation.
//
// The float functions take plain numbers or vectors of them (T). The 8-bit functions are libjpeg-turbo's
// arithmetic, bit for bit.
#pragma once

#include <cstdint>

#include "gpu/kernels/host_device.h"

namespace freqstore {

/// JFIF (BT.601, full range), in place. In: luma 0..255, chroma centred on 0. Out: R, G, B, not clamped.
template <typename T>
FREQSTORE_HD void YCbCrToRgb(T& y_r, T& cb_g, T& cr_b) {
  const T y = y_r;
  const T cb = cb_g;
  const T cr = cr_b;
  y_r = y + cr * 1.402f;
  cb_g = y - cb * 0.344136286f - cr * 0.714136286f;
  cr_b = y + cb * 1.772f;
}

template <typename T>
FREQSTORE_HD T ClampToByteRange(T value) {
  const T low = T{};
  const T high = T{} + 255.f;
  value = value < low ? low : value;
  return value > high ? high : value;
}

/// What a model sees of a pixel value.
template <typename T>
FREQSTORE_HD T Normalize(T value, float mean, float scale) {
  return (ClampToByteRange(value) - mean) * scale;
}

/// A scalar or vector int32 to 0..255.
template <typename T>
FREQSTORE_HD T ClampToByte(T value) {
  const T low = T{};
  const T high = T{} + 255;
  value = value < low ? low : value;
  return value > high ? high : value;
}

/// 8-bit JFIF conversion, in place: Y, Cb, Cr of 0..255 (int32, or vectors of it) to R, G, B of 0..255. The
/// factors are 16-bit fixed point, each product is rounded as libjpeg-turbo's tables do.
template <typename T>
FREQSTORE_HD void YCbCrToRgbBytes(T& y_r, T& cb_g, T& cr_b) {
  constexpr int32_t kHalf = 1 << 15;
  const T y = y_r;
  const T cb = cb_g - 128;
  const T cr = cr_b - 128;
  y_r = ClampToByte(y + ((cr * 91881 + kHalf) >> 16));
  cb_g = ClampToByte(y + ((cb * -22554 + cr * -46802 + kHalf) >> 16));
  cr_b = ClampToByte(y + ((cb * 116130 + kHalf) >> 16));
}

/// a * b / 255, rounded, of bytes: what is left of the light `a` behind an ink that lets `b` through. T holds
/// at least 16 bits, unsigned if no more.
template <typename T>
FREQSTORE_HD T MultiplyBytes(T a, T b) {
  const T product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

}  // namespace freqstore

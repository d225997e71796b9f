// Components of any colour model to R, G, B.
//
// Of inks, a stored byte of kAdobeCmyk says how much light comes through: C' = 255 - C and so on. Then
//
//   kCmyk        R = (255 - C) * (255 - K) / 255, and G and B likewise of M and Y
//   kAdobeCmyk   R = C' * K' / 255
//   kAdobeYcck   (R0, G0, B0) = YCbCr to RGB, C' = 255 - R0 (as libjpeg makes CMYK of YCCK), R = C' * K' /
//   255
//
// 8-bit images round each of these values to a byte, rendering to floats none.
#pragma once

#include <type_traits>

#include "gpu/kernels/color.h"
#include "gpu/kernels/host_device.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// Calls `body` with std::integral_constant<ColorModel, color>.
template <typename Body>
FREQSTORE_HD void VisitColorModel(ColorModel color, const Body& body) {
  switch (color) {
    case ColorModel::kGrayscale:
      return body(std::integral_constant<ColorModel, ColorModel::kGrayscale>{});
    case ColorModel::kYCbCr:
      return body(std::integral_constant<ColorModel, ColorModel::kYCbCr>{});
    case ColorModel::kRgb:
      return body(std::integral_constant<ColorModel, ColorModel::kRgb>{});
    case ColorModel::kCmyk:
      return body(std::integral_constant<ColorModel, ColorModel::kCmyk>{});
    case ColorModel::kAdobeCmyk:
      return body(std::integral_constant<ColorModel, ColorModel::kAdobeCmyk>{});
    case ColorModel::kAdobeYcck:
      return body(std::integral_constant<ColorModel, ColorModel::kAdobeYcck>{});
  }
}

template <ColorModel Model>
inline constexpr bool kHasChroma = IsChroma(Model, 1);
template <ColorModel Model>
inline constexpr bool kHasInks = ComponentCount(Model) == 4;

/// The components of a pixel, centred on 0, to R, G, B: numbers or vectors of floats. Not clamped unless
/// inks are multiplied.
template <ColorModel Model, typename T>
FREQSTORE_HD void ToRgb(T (&x)[kComponentsMax]) {
  x[0] += 128.f;
  if constexpr (Model == ColorModel::kGrayscale) {
    x[1] = x[2] = x[0];
  } else if constexpr (kHasChroma<Model>) {
    YCbCrToRgb(x[0], x[1], x[2]);
  } else {
    x[1] += 128.f;
    x[2] += 128.f;
  }
  if constexpr (kHasInks<Model>) {
    constexpr bool kIsComplement = Model != ColorModel::kAdobeCmyk;
    T key = ClampToByteRange(x[3] + 128.f);
    if constexpr (Model == ColorModel::kCmyk) key = 255.f - key;
    for (int i = 0; i < 3; ++i) {
      const T value = ClampToByteRange(x[i]);
      x[i] = (kIsComplement ? 255.f - value : value) * key * (1 / 255.f);
    }
  }
}

/// The same of bytes, as int32 or vectors of it.
template <ColorModel Model, typename T>
FREQSTORE_HD void ToRgbBytes(T (&x)[kComponentsMax]) {
  if constexpr (Model == ColorModel::kGrayscale) x[1] = x[2] = x[0];
  if constexpr (kHasChroma<Model>) YCbCrToRgbBytes(x[0], x[1], x[2]);
  if constexpr (kHasInks<Model>) {
    constexpr bool kIsComplement = Model != ColorModel::kAdobeCmyk;
    const T key = Model == ColorModel::kCmyk ? 255 - x[3] : x[3];
    for (int i = 0; i < 3; ++i) x[i] = MultiplyBytes<T>(kIsComplement ? 255 - x[i] : x[i], key);
  }
}

}  // namespace freqstore

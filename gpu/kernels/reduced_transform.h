// The inverse transform of images reduced to k/8, one axis at a time: N frequencies to N points, N in 1..8.
//
// 16-bit fixed point that saturates, so that every instruction set makes the same bytes, whatever the
// coefficients. The gain of DC is 1 an axis; numbers are kReducedOne times a coefficient on the way in and
// 8 * kReducedOne times a sample on the way out. Samples come within 1 of the cosine series: rounding to a
// byte is nearly all of that.
//
// T is int32_t or a vector of it, or a type of its own that overloads AddSaturated, SubtractSaturated and
// MultiplyQ15.
#pragma once

#include <cstdint>
#include <utility>

#include "gpu/kernels/color.h"
#include "gpu/kernels/host_device.h"

namespace freqstore {

inline constexpr int kReducedOneShift = 3;
inline constexpr int kReducedSampleShift = kReducedOneShift + 3;
inline constexpr int32_t kReducedInputMax = 4095;  ///< magnitude of a dequantised coefficient (dequantize.h)
/// What DC has added before the second pass: 128 of a sample, and 1/2 for rounding.
inline constexpr int32_t kReducedBias = (128 << kReducedSampleShift) + (1 << (kReducedSampleShift - 1));

/// Points a block of a component of a sampling ratio, at k/8; 0 if they are no whole number or more than 8.
FREQSTORE_HD int ReducedPoints(int k, int samp, int samp_max) {
  const int points = k * samp_max / samp;
  return samp_max % samp == 0 && points <= 8 ? points : 0;
}

template <typename T>
FREQSTORE_HD T SaturateToWord(T value) {
  const T low = T{} + INT16_MIN;
  const T high = T{} + INT16_MAX;
  value = value < low ? low : value;
  return value > high ? high : value;
}
template <typename T>
FREQSTORE_HD T AddSaturated(T a, T b) {
  return SaturateToWord(a + b);
}
template <typename T>
FREQSTORE_HD T SubtractSaturated(T a, T b) {
  return SaturateToWord(a - b);
}
/// x * factor / 2^15, rounded half up, for a factor below 2^15.
template <typename T>
FREQSTORE_HD T MultiplyQ15(T x, int32_t factor) {
  return (x * factor + (1 << 14)) >> 15;
}

namespace reduced_transform {

// cos(pi * part), part in 0..4, by its power series around 0 of the angle folded into the first quarter.
constexpr double CosineOfPi(double part) {
  while (part > 2) part -= 2;
  if (part > 1) part = 2 - part;
  const double sign = part > 0.5 ? -1 : 1;
  const double angle = 3.14159265358979323846 * (part > 0.5 ? 1 - part : part);
  double sum = 0;
  double term = 1;
  for (int n = 1; n < 24; n += 2) {
    sum += term;
    term *= -angle * angle / (n * (n + 1));
  }
  return sign * sum;
}

inline constexpr int32_t kOne = 1 << 15;

// What frequency U > 0 adds to point I of N, over what DC does, times kOne.
template <int N, int U, int I>
inline constexpr int32_t kWeight = [] {
  const double weight = 1.41421356237309504880 * kOne * CosineOfPi(U * (2 * I + 1) / (2.0 * N));
  return static_cast<int32_t>(weight < 0 ? weight - 0.5 : weight + 0.5);
}();

// A weight of 1 or more is a whole and a part: what is multiplied by stays below 1.
template <int N, int U, int I>
inline constexpr int32_t kWhole = kWeight<N, U, I> >= kOne    ? 1
                                  : kWeight<N, U, I> <= -kOne ? -1
                                                              : 0;
template <int N, int U, int I>
inline constexpr int32_t kPart = kWeight<N, U, I> - kWhole<N, U, I>* kOne;

template <int N, int U, int I, typename T>
FREQSTORE_HD T AddTerm(T sum, T x) {
  if constexpr (kWhole < N, U, I >> 0) sum = AddSaturated(sum, x);
  if constexpr (kWhole<N, U, I> < 0) sum = SubtractSaturated(sum, x);
  if constexpr (kPart<N, U, I> != 0) sum = AddSaturated(sum, MultiplyQ15(x, kPart<N, U, I>));
  return sum;
}

// The odd frequencies at point I. Their first weight is positive.
template <int N, int I, typename T, int... More>
FREQSTORE_HD T OddSum(const T (&x)[N], std::integer_sequence<int, More...>) {
  T sum = x[1];
  if constexpr (kWhole<N, 1, I> == 0) {
    sum = MultiplyQ15(x[1], kPart<N, 1, I>);
  } else if constexpr (kPart<N, 1, I> != 0) {
    sum = AddSaturated(x[1], MultiplyQ15(x[1], kPart<N, 1, I>));
  }
  ((sum = AddTerm<N, 3 + 2 * More, I>(sum, x[3 + 2 * More])), ...);
  return sum;
}

// The even frequencies at point I, for an odd N.
template <int N, int I, typename T, int... More>
FREQSTORE_HD T EvenSum(const T (&x)[N], std::integer_sequence<int, More...>) {
  T sum = x[0];
  ((sum = AddTerm<N, 2 + 2 * More, I>(sum, x[2 + 2 * More])), ...);
  return sum;
}

template <int N, typename T, int... I>
FREQSTORE_HD void OddSums(const T (&x)[N], T (&sums)[N / 2], std::integer_sequence<int, I...>) {
  ((sums[I] = OddSum<N, I>(x, std::make_integer_sequence<int, N / 2 - 1>())), ...);
}

template <int N, typename T, int... I>
FREQSTORE_HD void EvenSums(const T (&x)[N], T (&sums)[(N + 1) / 2], std::integer_sequence<int, I...>) {
  ((sums[I] = EvenSum<N, I>(x, std::make_integer_sequence<int, N / 2>())), ...);
}

}  // namespace reduced_transform

/// Transforms x[0..N-1] into x[0..N-1]. Even frequencies are alike in both halves of a block, and, if N is
/// even, those of a transform of half the points; odd ones are opposite.
template <int N, typename T>
FREQSTORE_HD void ReducedTransform(T (&x)[N]) {
  if constexpr (N > 1) {
    constexpr int kHalf = N / 2;
    T even[N - kHalf];
    if constexpr (N % 2 == 0) {
      for (int i = 0; i < kHalf; ++i) even[i] = x[2 * i];
      ReducedTransform<kHalf>(even);
    } else {
      reduced_transform::EvenSums<N>(x, even, std::make_integer_sequence<int, N - kHalf>());
    }
    T odd[kHalf];
    reduced_transform::OddSums<N>(x, odd, std::make_integer_sequence<int, kHalf>());
    for (int i = 0; i < kHalf; ++i) {
      x[i] = AddSaturated(even[i], odd[i]);
      x[N - 1 - i] = SubtractSaturated(even[i], odd[i]);
    }
    if constexpr (N % 2 != 0) x[kHalf] = even[kHalf];
  }
}

/// The second pass, along a row of what the first made, to samples of 0..255.
template <int N, typename T>
FREQSTORE_HD void ReducedRow(T (&x)[N]) {
  x[0] = AddSaturated(x[0], T{} + kReducedBias);
  ReducedTransform<N>(x);
  for (T& sample : x) sample = ClampToByte(sample >> kReducedSampleShift);
}

}  // namespace freqstore

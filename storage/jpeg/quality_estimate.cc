#include "storage/jpeg/quality_estimate.h"

#include <algorithm>
#include <cstdlib>

namespace freqstore {
namespace {

// ITU-T T.81, table K.1, in natural order.
constexpr std::array<uint8_t, kFrequencies> kStandardLuma = {16, 11, 10, 16, 24,  40,  51,  61,   //
                                                             12, 12, 14, 19, 26,  58,  60,  55,   //
                                                             14, 13, 16, 24, 40,  57,  69,  56,   //
                                                             14, 17, 22, 29, 51,  87,  80,  62,   //
                                                             18, 22, 37, 56, 68,  109, 103, 77,   //
                                                             24, 35, 55, 64, 81,  104, 113, 92,   //
                                                             49, 64, 78, 87, 103, 121, 120, 101,  //
                                                             72, 92, 95, 98, 112, 100, 103, 99};

constexpr int kBaselineStepMax = 255;

constexpr int ScaledStep(int standard_step, int quality, int step_max) {
  const int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return std::clamp((standard_step * percent + 50) / 100, 1, step_max);
}

}  // namespace

uint8_t EstimateQuality(const std::array<uint16_t, kFrequencies>& quant) {
  const bool baseline =
      std::all_of(quant.begin(), quant.end(), [](int step) { return step <= kBaselineStepMax; });
  const int step_max = baseline ? kBaselineStepMax : INT16_MAX;
  int sum = 0;
  for (int step : quant) sum += step;

  int best_quality = 0;
  int best_difference = sum / 8 + 1;
  for (int quality = 1; quality <= 100; ++quality) {
    int difference = 0;
    for (size_t z = 0; z < kFrequencies; ++z) {
      difference += std::abs(quant[z] - ScaledStep(kStandardLuma[kZigzagToNatural[z]], quality, step_max));
    }
    if (difference < best_difference) {
      best_difference = difference;
      best_quality = quality;
    }
  }
  return static_cast<uint8_t>(best_quality);
}

}  // namespace freqstore

#include "tests/bench/scale/small_photo.h"

#include <cmath>

#include "deploy/sample/jpeg_file.h"
#include "deploy/sample/picture.h"

namespace freqstore::bench {
namespace {

constexpr int kSide = 64;

/// 0..1, different for each `salt`.
float Fraction(uint64_t number, uint64_t salt) {
  uint64_t bits = number * 0x9e3779b97f4a7c15U + salt * 0xbf58476d1ce4e5b9U;
  bits ^= bits >> 31;
  bits *= 0x94d049bb133111ebU;
  bits ^= bits >> 29;
  return static_cast<float>(bits >> 40) / static_cast<float>(uint64_t{1} << 24);
}

}  // namespace

std::string SmallPhoto(uint64_t number) {
  const float frequency = 0.05F + 0.4F * Fraction(number, 1);
  const float angle = 6.283F * Fraction(number, 2);
  const float phase = 6.283F * Fraction(number, 3);
  const sample::Colour base = {0.2F + 0.5F * Fraction(number, 4), 0.2F + 0.5F * Fraction(number, 5),
                               0.2F + 0.5F * Fraction(number, 6)};
  sample::Picture picture(kSide, kSide);
  picture.ForEach([&](float x, float y, sample::Colour) {
    const float along = x * std::cos(angle) + y * std::sin(angle);
    const float wave = std::sin(frequency * along + phase) + 0.5F * std::sin(2.3F * frequency * along);
    const float light = (45 * wave + y - x) / 255;
    return base + sample::Colour{light, light, light};
  });
  return EncodeJpeg(picture, {.quality = 80, .halve_chroma = true});
}

}  // namespace freqstore::bench

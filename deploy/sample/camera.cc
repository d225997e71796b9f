#include "deploy/sample/camera.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace freqstore::sample {
namespace {

void FallOff(Picture& picture, Random& random) {
  const auto width = static_cast<float>(picture.width());
  const auto height = static_cast<float>(picture.height());
  const float slope_x = random.Uniform(-0.35F, 0.35F);
  const float slope_y = random.Uniform(-0.35F, 0.35F);
  const float vignette = random.Uniform(0, 0.5F);
  const float exposure = random.Uniform(0.8F, 1.15F);
  const Colour cast = {random.Uniform(0.9F, 1.08F), 1, random.Uniform(0.88F, 1.08F)};
  picture.ForEach([&](float x, float y, Colour c) {
    const float u = x / width - 0.5F;
    const float v = y / height - 0.5F;
    const float light = exposure * (1 + slope_x * u + slope_y * v) * (1 - vignette * (u * u + v * v));
    return Colour{c.r * cast.r, c.g * cast.g, c.b * cast.b} * light;
  });
}

/// One axis of a blur with weights side, 1 - 2 * side, side.
void BlurAxis(Picture& picture, float side, bool vertical) {
  const int lines = vertical ? picture.width() : picture.height();
  const int length = vertical ? picture.height() : picture.width();
  const auto pixel = [&](int line, int i) -> Colour& {
    return vertical ? picture.at(line, i) : picture.at(i, line);
  };
  for (int line = 0; line < lines; ++line) {
    Colour previous = pixel(line, 0);
    for (int i = 0; i < length; ++i) {
      const Colour current = pixel(line, i);
      const Colour next = pixel(line, std::min(i + 1, length - 1));
      pixel(line, i) = (previous + next) * side + current * (1 - 2 * side);
      previous = current;
    }
  }
}

void AddSensorNoise(Picture& picture, Random& random) {
  const float grain = random.Uniform(0.016F, 0.042F);
  const float chroma_grain = grain * random.Uniform(0.2F, 0.6F);
  picture.ForEach([&](float, float, Colour c) {
    const float shot = 0.5F + std::sqrt(std::clamp(Luma(c), 0.0F, 1.0F));
    const float luma = grain * shot * random.Normal();
    return Colour{c.r + luma + chroma_grain * random.Normal(), c.g + luma,
                  c.b + luma + chroma_grain * random.Normal()};
  });
}

}  // namespace

void TakePhoto(Picture& picture, Random& random) {
  FallOff(picture, random);
  const float side = random.Uniform(0.02F, 0.17F);
  BlurAxis(picture, side, false);
  BlurAxis(picture, side, true);
  AddSensorNoise(picture, random);
}

}  // namespace freqstore::sample

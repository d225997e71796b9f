#include "deploy/sample/background.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "deploy/sample/noise.h"

namespace freqstore::sample {
namespace {

FractalNoise RandomNoise(Random& random, float wavelength_px, float gain) {
  return {.seed = random.Next(), .wavelength_px = wavelength_px, .octaves = 8, .gain = gain};
}

Colour DullColour(Random& random) {
  const float brightness = random.Uniform(0.15F, 0.85F);
  const float saturation = random.Uniform(0.05F, 0.55F);
  return RandomColour(random, saturation, brightness);
}

/// Clouded sky over rough ground.
void PaintLandscape(Picture& picture, Random& random) {
  const Colour zenith = RandomColour(random, 0.4F, random.Uniform(0.4F, 0.9F));
  const Colour haze = RandomColour(random, 0.1F, random.Uniform(0.7F, 1.0F));
  const Colour near = DullColour(random);
  const Colour far = Blend(near, haze, 0.5F);
  const FractalNoise clouds = RandomNoise(random, 220, 0.5F);
  const FractalNoise ridge = RandomNoise(random, 180, 0.5F);
  const FractalNoise ground = RandomNoise(random, 60, 0.72F);
  const auto height = static_cast<float>(picture.height());
  const float horizon = height * random.Uniform(0.25F, 0.75F);
  picture.ForEach([&](float x, float y, Colour) {
    const float skyline = horizon + 40 * ridge.At(x, 0);
    if (y < skyline) {
      const float cloud = std::clamp(clouds.At(x, y * 2) + 0.1F, 0.0F, 1.0F);
      return Blend(Blend(zenith, haze, y / skyline), Colour{1, 1, 1}, cloud * 0.8F);
    }
    const float depth = (y - skyline) / (height - skyline + 1);
    return Blend(far, near, depth) * (1 + (0.3F + 0.5F * depth) * ground.At(x, y));
  });
}

/// Plaster, stone or sand: one colour, uneven, grainy.
void PaintWall(Picture& picture, Random& random) {
  const Colour base = DullColour(random);
  const Colour stain = DullColour(random);
  const FractalNoise stains = RandomNoise(random, 300, 0.5F);
  const FractalNoise grain = RandomNoise(random, random.Uniform(8, 30), 0.7F);
  const float roughness = random.Uniform(0.2F, 0.5F);
  picture.ForEach([&](float x, float y, Colour) {
    const float share = std::clamp(0.5F + stains.At(x, y), 0.0F, 1.0F);
    return Blend(base, stain, share * 0.6F) * (1 + roughness * grain.At(x, y));
  });
}

/// A dark scene far out of focus, with soft spots of light.
void PaintLights(Picture& picture, Random& random) {
  struct Light {
    float x, y, radius;
    Colour colour;
  };
  std::vector<Light> lights(static_cast<size_t>(random.Integer(6, 18)));
  for (Light& light : lights) {
    light.x = random.Uniform(0, static_cast<float>(picture.width()));
    light.y = random.Uniform(0, static_cast<float>(picture.height()));
    light.radius = random.Uniform(30, 110);
    light.colour = RandomColour(random, 0.6F, random.Uniform(0.1F, 0.5F));
  }
  const Colour base = DullColour(random) * 0.5F;
  const FractalNoise haze = RandomNoise(random, 200, 0.55F);
  picture.ForEach([&](float x, float y, Colour) {
    Colour sum = base * (1 + haze.At(x, y));
    for (const Light& light : lights) {
      const float distance = std::hypot(x - light.x, y - light.y) / light.radius;
      if (distance < 2) sum = sum + light.colour * std::exp(-2 * distance * distance);
    }
    return sum;
  });
}

/// Leaves and grass: noise folded into ridges, in three colours.
void PaintFoliage(Picture& picture, Random& random) {
  const Colour dark = DullColour(random) * 0.4F;
  const Colour leaf = RandomColour(random, 0.5F, 0.6F);
  const Colour tip = Blend(leaf, Colour{1, 1, 0.9F}, 0.5F);
  const FractalNoise shape = RandomNoise(random, random.Uniform(40, 110), 0.62F);
  const FractalNoise bend = RandomNoise(random, 140, 0.5F);
  picture.ForEach([&](float x, float y, Colour) {
    const float shift = 60 * bend.At(x, y);
    const float fold = 1 - std::abs(shape.At(x + shift, y - shift)) * 1.8F;
    return fold < 0.5F ? Blend(dark, leaf, std::max(0.0F, fold * 2)) : Blend(leaf, tip, fold * 2 - 1);
  });
}

/// Boards: rings that run along an axis, stretched and bent.
void PaintWood(Picture& picture, Random& random) {
  const Colour light = RandomColour(random, 0.4F, random.Uniform(0.5F, 0.9F));
  const Colour dark = light * random.Uniform(0.45F, 0.75F);
  const FractalNoise bend = RandomNoise(random, 160, 0.5F);
  const FractalNoise fibre = RandomNoise(random, 20, 0.72F);
  const float angle = random.Uniform(0, 2 * std::numbers::pi_v<float>);
  const float cosine = std::cos(angle);
  const float sine = std::sin(angle);
  const float period_px = random.Uniform(18, 60);
  picture.ForEach([&](float x, float y, Colour) {
    const float along = x * cosine + y * sine;
    const float across = y * cosine - x * sine;
    const float ring = across / period_px + 2.5F * bend.At(along * 0.15F, across);
    const float share = 0.5F + 0.5F * std::sin(ring * 6.2831853F);
    return Blend(light, dark, share * share) * (1 + 0.3F * fibre.At(along * 0.1F, across));
  });
}

}  // namespace

Colour RandomColour(Random& random, float saturation, float brightness) {
  const float hue = random.Uniform(0, 6);
  const auto channel = [&](float offset) {
    const float position = std::fmod(hue + offset, 6.0F);
    const float share = std::clamp(std::abs(position - 3) - 1, 0.0F, 1.0F);
    return brightness * (1 - saturation + saturation * share);
  };
  return {channel(0), channel(4), channel(2)};
}

void PaintBackground(Picture& picture, Random& random) {
  constexpr std::array kKinds = {PaintLandscape, PaintWall, PaintLights, PaintFoliage, PaintWood};
  kKinds[random.Next() % kKinds.size()](picture, random);
}

}  // namespace freqstore::sample

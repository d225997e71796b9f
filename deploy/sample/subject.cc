#include "deploy/sample/subject.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "deploy/sample/background.h"
#include "deploy/sample/noise.h"

namespace freqstore::sample {
namespace {

struct Point {
  float x = 0;
  float y = 0;
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(Point a, float k) { return {a.x * k, a.y * k}; }
};

float Dot(Point a, Point b) {
  return a.x * b.x + a.y * b.y;
}
float Length(Point a) {
  return std::sqrt(Dot(a, a));
}

// Signed distances to outlines of about radius 1, negative inside, y downwards.

float Circle(Point p) {
  return Length(p) - 0.9F;
}

float Box(Point p, float half_width, float half_height) {
  const Point q = {std::abs(p.x) - half_width, std::abs(p.y) - half_height};
  return Length({std::max(q.x, 0.0F), std::max(q.y, 0.0F)}) + std::min(std::max(q.x, q.y), 0.0F);
}

float Square(Point p) {
  return Box(p, 0.78F, 0.78F);
}

/// A regular polygon's sides are the lines at `apothem` from its centre.
float Triangle(Point p) {
  constexpr float kApothem = 0.5F;
  constexpr float kHalfRoot3 = 0.8660254F;
  return std::max({p.y, std::abs(p.x) * kHalfRoot3 - p.y * 0.5F}) - kApothem;
}

float Star(Point p) {
  constexpr float kTurn = 2 * std::numbers::pi_v<float> / 5;
  const float angle = std::atan2(p.x, -p.y);
  const float from_tip = std::abs(angle - kTurn * std::round(angle / kTurn));
  const Point folded = {Length(p) * std::cos(from_tip), Length(p) * std::sin(from_tip)};
  constexpr Point kTip = {1, 0};
  constexpr Point kNotch = {0.4F * 0.809017F, 0.4F * 0.587785F};
  const Point side = kTip - kNotch;
  return Dot(folded - kNotch, Point{-side.y, side.x} * (1 / Length(side)));
}

float Cross(Point p) {
  return std::min(Box(p, 0.95F, 0.3F), Box(p, 0.3F, 0.95F));
}

float Ring(Point p) {
  return std::abs(Length(p) - 0.72F) - 0.22F;
}

float Panel(Point p) {
  return Box(p, 0.9F, 0.75F);
}

float Heart(Point p) {
  constexpr float kSize = 1.4F;
  const Point q = {std::abs(p.x) / kSize, 0.58F - p.y / kSize};
  if (q.x + q.y > 1) return (Length(q - Point{0.25F, 0.75F}) - 0.3535534F) * kSize;
  const float to_dent = Length(q - Point{0, 1});
  const float along = 0.5F * std::max(q.x + q.y, 0.0F);
  const float to_side = Length(q - Point{along, along});
  return std::min(to_dent, to_side) * (q.x > q.y ? kSize : -kSize);
}

float Crescent(Point p) {
  return std::max(Circle(p), 0.75F - Length(p - Point{0.42F, 0}));
}

constexpr std::array<float (*)(Point), kClassNames.size()> kOutlines = {
    Circle, Square, Triangle, Star, Cross, Ring, Panel, Square, Heart, Crescent};

/// Whether a point of the subject shows its second paint.
bool HasSecondPaint(int class_index, Point p, float bands) {
  const bool odd_x = static_cast<int>(std::floor(p.x * bands)) % 2 != 0;
  const bool odd_y = static_cast<int>(std::floor(p.y * bands)) % 2 != 0;
  if (kClassNames[static_cast<size_t>(class_index)] == "stripes") return odd_x;
  if (kClassNames[static_cast<size_t>(class_index)] == "checkerboard") return odd_x != odd_y;
  return false;
}

/// Where a subject is, and the way from pixels to its own coordinates.
struct Pose {
  Point centre_px;
  float radius_px;
  float cosine;
  float sine;
  float squeeze;  ///< foreshortening, height over width

  Point ToSubject(float x, float y) const {
    const Point d = Point{x, y} - centre_px;
    return Point{d.x * cosine + d.y * sine, (d.y * cosine - d.x * sine) / squeeze} * (1 / radius_px);
  }
};

Pose RandomPose(const Picture& picture, Random& random) {
  const auto width = static_cast<float>(picture.width());
  const auto height = static_cast<float>(picture.height());
  const float radius_px = std::min(width, height) * random.Uniform(0.2F, 0.44F);
  const float margin_px = radius_px * 0.85F;
  const float angle = random.Uniform(0, 2 * std::numbers::pi_v<float>);
  return {.centre_px = {random.Uniform(margin_px, width - margin_px),
                        random.Uniform(margin_px, height - margin_px)},
          .radius_px = radius_px,
          .cosine = std::cos(angle),
          .sine = std::sin(angle),
          .squeeze = random.Uniform(0.85F, 1)};
}

/// How far a pixel is covered: 0 outside, 1 inside, smooth over `softness` (in the subject's coordinates)
/// around the edge.
float Coverage(float distance, float softness) {
  return std::clamp(0.5F - distance / softness, 0.0F, 1.0F);
}

/// A colour whose brightness differs visibly from `other`.
Colour ContrastingColour(Random& random, Colour other) {
  for (;;) {
    const float brightness = random.Uniform(0.1F, 1);
    const float saturation = random.Uniform(0.1F, 0.9F);
    const Colour colour = RandomColour(random, saturation, brightness);
    if (std::abs(Luma(colour) - Luma(other)) > 0.25F) return colour;
  }
}

Colour MeanAround(const Picture& picture, const Pose& pose) {
  Colour sum;
  float count = 0;
  for (int y = 0; y < picture.height(); y += 4) {
    for (int x = 0; x < picture.width(); x += 4) {
      if (Length(pose.ToSubject(static_cast<float>(x), static_cast<float>(y))) > 1.5F) continue;
      sum = sum + picture.at(x, y);
      count += 1;
    }
  }
  return sum * (1 / std::max(count, 1.0F));
}

/// A bar across an edge of the subject, like a twig or a post.
void PaintOccluder(Picture& picture, const Pose& pose, Random& random) {
  constexpr float kBendPxMax = 16;
  const float angle = random.Uniform(0, 2 * std::numbers::pi_v<float>);
  const Point normal = {std::cos(angle), std::sin(angle)};
  const float offset_px = pose.radius_px * random.Uniform(0.2F, 0.9F);
  const float half_width_px = pose.radius_px * random.Uniform(0.04F, 0.13F);
  const Colour colour = RandomColour(random, 0.3F, random.Uniform(0.1F, 0.7F));
  const FractalNoise bark = {.seed = random.Next(), .wavelength_px = 24, .octaves = 6, .gain = 0.65F};
  picture.ForEach([&](float x, float y, Colour below) {
    const float straight_px = Dot(Point{x, y} - pose.centre_px, normal) - offset_px;
    if (std::abs(straight_px) > half_width_px + kBendPxMax) return below;
    const float across_px = straight_px + 0.5F * kBendPxMax * bark.At(x * 0.2F, y * 0.2F);
    const float coverage = Coverage(std::abs(across_px) - half_width_px, 2);
    if (coverage == 0) return below;
    const float roundness = 1 - 0.5F * std::abs(across_px) / half_width_px;
    return Blend(below, colour * (roundness * (1 + 0.5F * bark.At(x, y))), coverage);
  });
}

}  // namespace

void PaintSubject(Picture& picture, int class_index, Random& random) {
  const Pose pose = RandomPose(picture, random);
  const auto outline = kOutlines[static_cast<size_t>(class_index)];
  const Colour first = ContrastingColour(random, MeanAround(picture, pose));
  const Colour second = ContrastingColour(random, first);
  const float bands = random.Uniform(2, 3.6F);
  const float edge = random.Uniform(1, 4) / pose.radius_px;
  const Point light = {random.Uniform(-0.25F, 0.25F), random.Uniform(-0.25F, 0.25F)};
  const float shadow = random.Uniform(0, 0.6F);
  const FractalNoise surface = {
      .seed = random.Next(), .wavelength_px = random.Uniform(20, 120), .octaves = 7, .gain = 0.66F};
  const float roughness = random.Uniform(0.1F, 0.35F);
  picture.ForEach([&](float x, float y, Colour below) {
    const Point p = pose.ToSubject(x, y);
    if (Length(p) > 2) return below;
    below = below * (1 - shadow * Coverage(outline(p - light * 0.4F), 0.3F));
    const float coverage = Coverage(outline(p), edge);
    if (coverage == 0) return below;
    const Colour paint = HasSecondPaint(class_index, p, bands) ? second : first;
    return Blend(below, paint * (1 - Dot(p, light) + roughness * surface.At(x, y)), coverage);
  });
  if (random.Chance(0.35F)) PaintOccluder(picture, pose, random);
}

}  // namespace freqstore::sample

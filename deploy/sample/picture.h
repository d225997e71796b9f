// Pixels as the sample's painters see them.
#pragma once

#include <cstddef>
#include <vector>

namespace freqstore::sample {

/// Red, green and blue; 0 is black and 1 is white, values beyond are cut off at the end.
struct Colour {
  float r = 0;
  float g = 0;
  float b = 0;

  friend Colour operator*(Colour c, float k) { return {c.r * k, c.g * k, c.b * k}; }
  friend Colour operator+(Colour c, Colour d) { return {c.r + d.r, c.g + d.g, c.b + d.b}; }
};

inline Colour Blend(Colour from, Colour to, float share) {
  return from * (1 - share) + to * share;
}

inline float Luma(Colour c) {
  return 0.299F * c.r + 0.587F * c.g + 0.114F * c.b;
}

class Picture {
 public:
  Picture(int width, int height)
      : width_(width), height_(height), pixels_(static_cast<size_t>(width) * static_cast<size_t>(height)) {}

  int width() const { return width_; }
  int height() const { return height_; }
  Colour& at(int x, int y) { return pixels_[Index(x, y)]; }
  const Colour& at(int x, int y) const { return pixels_[Index(x, y)]; }

  /// Replaces each pixel by paint(x, y, pixel).
  template <typename Paint>
  void ForEach(Paint paint) {
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        Colour& pixel = at(x, y);
        pixel = paint(static_cast<float>(x), static_cast<float>(y), pixel);
      }
    }
  }

 private:
  size_t Index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }

  int width_;
  int height_;
  std::vector<Colour> pixels_;
};

}  // namespace freqstore::sample

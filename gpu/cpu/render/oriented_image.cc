#include "gpu/cpu/render/oriented_image.h"

#include <cstring>

namespace freqstore {

RgbImage Oriented(RgbImage coded, const Orientation& orientation) {
  if (!orientation.mirror_x && !orientation.mirror_y && !orientation.transposed) return coded;
  RgbImage displayed;
  displayed.width = orientation.transposed ? coded.height : coded.width;
  displayed.height = orientation.transposed ? coded.width : coded.height;
  displayed.pixels.resize(coded.pixels.size());
  const auto offset_of = [&](int64_t x, int64_t y) {
    const PixelPosition from = CodedPosition(orientation, coded.width, coded.height, {x, y});
    return 3 * (from.y * int64_t{coded.width} + from.x);
  };
  const int64_t step = offset_of(1, 0) - offset_of(0, 0);
  uint8_t* out = displayed.pixels.data();
  for (int64_t y = 0; y < displayed.height; ++y) {
    int64_t from = offset_of(0, y);
    for (int64_t x = 0; x < displayed.width; ++x) {
      std::memcpy(out, coded.pixels.data() + from, 3);
      out += 3;
      from += step;
    }
  }
  return displayed;
}

}  // namespace freqstore

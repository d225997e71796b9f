// Rows of component samples to an image.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "gpu/cpu/render/full_size_loops.h"
#include "gpu/cpu/render/oriented_image.h"
#include "gpu/device/rgb_image.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// Samples of one component, one a pixel.
struct SampleRows {
  const uint8_t* samples = nullptr;  ///< kFullSizeSamples more may be read
  size_t rows = 1;                   ///< that lie one behind the other, with nothing in between
};

/// The image of `width` x `height` pixels of the colour model, as coded, then oriented. `rows_from(component,
/// y)` gives its samples from row `y` on, which stay until it is asked for others of that component.
template <typename RowsFrom>
RgbImage ConvertRows(const FullSizeLoops& loops, const ImageGeometry& geometry, uint32_t width,
                     uint32_t height, bool apply_orientation, RowsFrom rows_from) {
  RgbImage image;
  image.width = width;
  image.height = height;
  image.pixels.resize(size_t{3} * width * height);
  const size_t count = ComponentCount(geometry.color);
  PixelRow pixels{.planes = {},
                  .count = 0,
                  .color = geometry.color,
                  .rgb = image.pixels.data(),
                  .room = image.pixels.size()};
  for (size_t y = 0; y < height;) {
    size_t rows = height - y;
    for (size_t c = 0; c < count; ++c) {
      const SampleRows samples = rows_from(c, y);
      pixels.planes[c] = samples.samples;
      rows = std::min(rows, samples.rows);
    }
    pixels.count = rows * width;
    loops.convert(pixels);
    pixels.rgb += 3 * pixels.count;
    pixels.room -= 3 * pixels.count;
    y += rows;
  }
  return Oriented(std::move(image), OrientationFromExif(apply_orientation ? geometry.orientation : 1));
}

}  // namespace freqstore

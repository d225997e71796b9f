#include "tests/gpu/cpu/plain_pixels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <jpeglib.h>
#include <stdexcept>

namespace freqstore::testutil {
namespace {

[[noreturn]] void Throw(j_common_ptr info) {
  char message[JMSG_LENGTH_MAX];
  info->err->format_message(info, message);
  throw std::runtime_error(message);
}

void Ignore(j_common_ptr /*info*/) {}

struct Decompressor {
  Decompressor() {
    info.err = jpeg_std_error(&errors);
    errors.error_exit = Throw;
    errors.output_message = Ignore;
    jpeg_create_decompress(&info);
  }
  ~Decompressor() { jpeg_destroy_decompress(&info); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
};

// C, M, Y, K to R, G, B.
void MultiplyInks(RgbImage& image, bool is_inverted) {
  const auto light = [is_inverted](uint8_t stored) { return is_inverted ? stored : 255 - stored; };
  for (size_t i = 0; i < image.pixels.size() / 4; ++i) {
    const int key = light(image.pixels[4 * i + 3]);
    for (size_t c = 0; c < 3; ++c)
      image.pixels[3 * i + c] =
          static_cast<uint8_t>(std::lround(light(image.pixels[4 * i + c]) * key / 255.0));
  }
  image.pixels.resize(image.pixels.size() / 4 * 3);
}

// One axis: rows of `channels` interleaved values, `stride` values apart, from `size` to `resized`.
std::vector<std::vector<double>> AxisWeights(int size, int resized) {
  const double scale = static_cast<double>(size) / resized;
  const double support = std::max(1.0, scale);
  std::vector<std::vector<double>> weights(static_cast<size_t>(resized),
                                           std::vector<double>(static_cast<size_t>(size)));
  for (int i = 0; i < resized; ++i) {
    const double center = (i + 0.5) * scale;
    double total = 0;
    for (int s = 0; s < size; ++s) {
      const double weight = std::max(0.0, 1 - std::abs(s + 0.5 - center) / support);
      weights[static_cast<size_t>(i)][static_cast<size_t>(s)] = weight;
      total += weight;
    }
    for (double& weight : weights[static_cast<size_t>(i)]) weight /= total;
  }
  return weights;
}

}  // namespace

RgbImage DecodePixels(const std::string& file) {
  Decompressor decompressor;
  jpeg_decompress_struct& info = decompressor.info;
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(file.data()), file.size());
  jpeg_read_header(&info, TRUE);
  const bool is_cmyk = info.num_components == 4;
  info.out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
  info.dct_method = JDCT_ISLOW;
  info.do_fancy_upsampling = TRUE;
  info.do_block_smoothing = FALSE;
  jpeg_start_decompress(&info);
  RgbImage image;
  image.width = info.output_width;
  image.height = info.output_height;
  const size_t channels = is_cmyk ? 4 : 3;
  image.pixels.resize(channels * image.width * image.height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = image.pixels.data() + channels * image.width * info.output_scanline;
    jpeg_read_scanlines(&info, &row, 1);
  }
  if (is_cmyk) MultiplyInks(image, info.saw_Adobe_marker != 0);
  jpeg_finish_decompress(&info);
  return image;
}

FloatImage ResizeTriangle(const RgbImage& image, int width, int height) {
  const auto in_width = static_cast<int>(image.width);
  const auto in_height = static_cast<int>(image.height);
  const auto across = AxisWeights(in_width, width);
  const auto down = AxisWeights(in_height, height);
  FloatImage narrow{width, in_height, std::vector<double>(static_cast<size_t>(3 * width * in_height))};
  for (int y = 0; y < in_height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int s = 0; s < in_width; ++s) {
        const double weight = across[static_cast<size_t>(x)][static_cast<size_t>(s)];
        if (weight == 0) continue;
        for (int c = 0; c < 3; ++c) {
          narrow.pixels[static_cast<size_t>(3 * (y * width + x) + c)] +=
              weight * image.pixels[static_cast<size_t>(3 * (y * in_width + s) + c)];
        }
      }
    }
  }
  FloatImage out{width, height, std::vector<double>(static_cast<size_t>(3 * width * height))};
  for (int y = 0; y < height; ++y) {
    for (int s = 0; s < in_height; ++s) {
      const double weight = down[static_cast<size_t>(y)][static_cast<size_t>(s)];
      if (weight == 0) continue;
      for (int i = 0; i < 3 * width; ++i) {
        out.pixels[static_cast<size_t>(3 * y * width + i)] +=
            weight * narrow.pixels[static_cast<size_t>(3 * s * width + i)];
      }
    }
  }
  return out;
}

FloatImage CropCenter(const FloatImage& image, int width, int height) {
  // Python's round(): half to even, as torchvision's CenterCrop.
  const int left = static_cast<int>(std::nearbyint((image.width - width) / 2.0));
  const int top = static_cast<int>(std::nearbyint((image.height - height) / 2.0));
  FloatImage out{width, height, {}};
  for (int y = 0; y < height; ++y) {
    const auto first = image.pixels.begin() + 3 * ((top + y) * image.width + left);
    out.pixels.insert(out.pixels.end(), first, first + 3 * width);
  }
  return out;
}

Difference Compare(const RgbImage& a, const RgbImage& b) {
  if (a.width != b.width || a.height != b.height) throw std::runtime_error("images of different sizes");
  Difference difference;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    const double d = std::abs(a.pixels[i] - b.pixels[i]);
    difference.mean += d;
    difference.max = std::max(difference.max, d);
  }
  difference.mean /= static_cast<double>(a.pixels.size());
  return difference;
}

}  // namespace freqstore::testutil

#include "tests/bench/scale/small_photos.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <jpeglib.h>

namespace freqstore::bench {
namespace {

constexpr int kSide = 64;
constexpr int kQuality = 80;

/// 0..1, different for each `salt`.
double Fraction(uint64_t number, uint64_t salt) {
  uint64_t bits = number * 0x9e3779b97f4a7c15U + salt * 0xbf58476d1ce4e5b9U;
  bits ^= bits >> 31;
  bits *= 0x94d049bb133111ebU;
  bits ^= bits >> 29;
  return static_cast<double>(bits >> 11) / static_cast<double>(uint64_t{1} << 53);
}

}  // namespace

std::string SmallPhotos::Make(uint64_t number) {
  pixels_.resize(size_t{3} * kSide * kSide);
  const double frequency = 0.05 + 0.4 * Fraction(number, 1);
  const double angle = 6.283 * Fraction(number, 2);
  const double phase = 6.283 * Fraction(number, 3);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const double along = x * std::cos(angle) + y * std::sin(angle);
      const double wave = std::sin(frequency * along + phase) + 0.5 * std::sin(2.3 * frequency * along);
      for (int c = 0; c < 3; ++c) {
        const double value =
            255 * (0.2 + 0.5 * Fraction(number, static_cast<uint64_t>(4 + c))) + 45 * wave + y - x;
        pixels_[static_cast<size_t>((y * kSide + x) * 3 + c)] =
            static_cast<uint8_t>(std::lround(std::fmin(255, std::fmax(0, value))));
      }
    }
  }
  jpeg_compress_struct compress{};
  jpeg_error_mgr errors{};
  compress.err = jpeg_std_error(&errors);
  jpeg_create_compress(&compress);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;  // NOLINT(google-runtime-int): libjpeg's
  jpeg_mem_dest(&compress, &bytes, &size);
  compress.image_width = kSide;
  compress.image_height = kSide;
  compress.input_components = 3;
  compress.in_color_space = JCS_RGB;
  jpeg_set_defaults(&compress);
  jpeg_set_quality(&compress, kQuality, TRUE);
  jpeg_start_compress(&compress, TRUE);
  while (compress.next_scanline < compress.image_height) {
    JSAMPROW row = &pixels_[size_t{3} * kSide * compress.next_scanline];
    jpeg_write_scanlines(&compress, &row, 1);
  }
  jpeg_finish_compress(&compress);
  std::string file(reinterpret_cast<char*>(bytes), size);
  jpeg_destroy_compress(&compress);
  std::free(bytes);
  return file;
}

}  // namespace freqstore::bench

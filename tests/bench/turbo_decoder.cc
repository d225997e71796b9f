#include "tests/bench/turbo_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace freqstore::bench {

TurboDecoder::TurboDecoder() {
  info_.err = jpeg_std_error(&errors_);
  errors_.error_exit = [](j_common_ptr) { throw std::runtime_error("libjpeg-turbo cannot decode a photo"); };
  errors_.emit_message = [](j_common_ptr, int) {};
  jpeg_create_decompress(&info_);
}

TurboDecoder::~TurboDecoder() {
  jpeg_destroy_decompress(&info_);
}

void TurboDecoder::Start(const std::string& file) {
  jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(file.data()), file.size());
  jpeg_read_header(&info_, TRUE);
}

void TurboDecoder::Read(unsigned k, Pixels& pixels) {
  info_.out_color_space = JCS_RGB;
  info_.scale_denom = 8;
  info_.scale_num = k;
  jpeg_start_decompress(&info_);
  pixels.width = info_.output_width;
  pixels.height = info_.output_height;
  const size_t stride = size_t{3} * pixels.width;
  if (pixels.rgb.size() < stride * pixels.height) pixels.rgb.resize(stride * pixels.height);
  constexpr JDIMENSION kRows = 16;
  while (info_.output_scanline < info_.output_height) {
    JSAMPROW rows[kRows];
    for (JDIMENSION i = 0; i < kRows; ++i) {
      const JDIMENSION row = std::min(info_.output_scanline + i, info_.output_height - 1);
      rows[i] = pixels.rgb.data() + stride * row;
    }
    jpeg_read_scanlines(&info_, rows, std::min(kRows, info_.output_height - info_.output_scanline));
  }
  jpeg_finish_decompress(&info_);
}

void TurboDecoder::Decode(const std::string& file, unsigned k, Pixels& pixels) {
  Start(file);
  Read(k, pixels);
}

void TurboDecoder::DecodeFor(const std::string& file, const ResizeRule& rule, Pixels& pixels) {
  Start(file);
  Read(ScaleFor(rule), pixels);
}

unsigned TurboDecoder::ScaleFor(const ResizeRule& rule) const {
  const double shorter = std::min(info_.image_width, info_.image_height);
  const double factor = rule.kind == ResizeRule::Kind::kShortest ? rule.shortest / shorter : 0;
  const double width = factor > 0 ? info_.image_width * factor : rule.width;
  const double height = factor > 0 ? info_.image_height * factor : rule.height;
  for (const unsigned scale : {1U, 2U, 4U}) {
    if (std::ceil(info_.image_width * scale / 8.0) >= width &&
        std::ceil(info_.image_height * scale / 8.0) >= height) {
      return scale;
    }
  }
  return 8;
}

std::string ReadWholeFile(const std::string& path) {
  std::string bytes(std::filesystem::file_size(path), '\0');
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr || std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size())
    throw std::runtime_error("cannot read " + path);
  std::fclose(file);
  return bytes;
}

}  // namespace freqstore::bench

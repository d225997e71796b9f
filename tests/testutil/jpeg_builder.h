// Makes JPEG files for tests with libjpeg-turbo's compressor.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace freqstore::testutil {

enum class JpegColor { kGrayscale, kYCbCr, kRgb, kCmyk };

struct JpegSpec {
  int width = 16;
  int height = 16;
  JpegColor color = JpegColor::kYCbCr;
  std::vector<std::pair<int, int>> sampling;  ///< h and v of each component; 1x1 where missing
  bool progressive = false;
  bool arithmetic = false;
  bool jfif = true;
  int quality = 75;
  std::string exif;  ///< payload of an APP1 marker; none if empty
};

/// A file whose samples are a fixed pattern.
std::string BuildJpeg(const JpegSpec& spec);

/// A file that gives the coefficients of a grayscale image, `blocks_wide` blocks a row, in natural order.
std::string BuildJpegFromBlocks(const std::vector<std::vector<int16_t>>& blocks, int blocks_wide);

}  // namespace freqstore::testutil

// Makes JPEG files for tests with libjpeg-turbo's compressor.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace freqstore::testutil {

enum class JpegColor { kGrayscale, kYCbCr, kRgb, kCmyk, kYcck };

/// One scan of a script: components by index, and the four numbers of its header.
struct JpegScan {
  std::vector<int> components;
  int spectral_start = 0;
  int spectral_end = 63;
  int approximation_high = 0;
  int approximation_low = 0;
};

struct JpegSpec {
  int width = 16;
  int height = 16;
  JpegColor color = JpegColor::kYCbCr;
  std::vector<std::pair<int, int>> sampling = {};  ///< h and v of each component; 1x1 where missing
  bool progressive = false;
  bool arithmetic = false;
  bool jfif = true;
  int quality = 75;
  std::string exif = {};             ///< payload of an APP1 marker; none if empty
  bool optimized = false;            ///< Huffman tables from statistics, not the standard ones
  unsigned restart_interval = 0;     ///< MCUs; none if 0
  std::vector<JpegScan> scans = {};  ///< libjpeg's own script if empty
};

/// A file whose samples are a fixed pattern.
std::string BuildJpeg(const JpegSpec& spec);

/// A file that gives the coefficients of a grayscale image, `blocks_wide` blocks a row, in natural order.
std::string BuildJpegFromBlocks(const std::vector<std::vector<int16_t>>& blocks, int blocks_wide,
                                bool progressive = false);

}  // namespace freqstore::testutil

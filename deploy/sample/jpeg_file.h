// Pictures as JPEG files.
#pragma once

#include <string>

#include "deploy/sample/picture.h"

namespace freqstore::sample {

struct JpegSettings {
  int quality = 90;  ///< 1..100, as libjpeg means it
  bool grayscale = false;
  bool halve_chroma = false;  ///< 4:2:0 instead of 4:4:4
  bool progressive = false;
};

/// The bytes of the file.
std::string EncodeJpeg(const Picture& picture, const JpegSettings& settings);

}  // namespace freqstore::sample

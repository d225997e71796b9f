// Decoding with libjpeg-turbo at its best settings: what Freqstore is compared with.
#pragma once

#include <cstdint>
#include <cstdio>
#include <jpeglib.h>
#include <string>
#include <vector>

#include "gpu/device/render_spec.h"

namespace freqstore::bench {

struct Pixels {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> rgb;  ///< at least height rows of 3 * width bytes
};

/// One libjpeg-turbo decoder, used for file after file. Throws std::runtime_error for a file that it cannot
/// decode. Not thread-safe.
class TurboDecoder {
 public:
  TurboDecoder();
  ~TurboDecoder();
  TurboDecoder(const TurboDecoder&) = delete;
  TurboDecoder& operator=(const TurboDecoder&) = delete;

  /// At k/8 of its size.
  void Decode(const std::string& file, unsigned k, Pixels& pixels);

  /// At the smallest of 1/8, 2/8, 4/8 and 8/8 that is not below the resize of `rule`: the scales at which
  /// libjpeg-turbo gains from scaling.
  void DecodeFor(const std::string& file, const ResizeRule& rule, Pixels& pixels);

 private:
  void Start(const std::string& file);
  void Read(unsigned k, Pixels& pixels);
  unsigned ScaleFor(const ResizeRule& rule) const;

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
};

/// The whole file; throws std::runtime_error.
std::string ReadWholeFile(const std::string& path);

}  // namespace freqstore::bench

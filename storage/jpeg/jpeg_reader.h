// JPEG bytes to quantised coefficients, without making pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// Bounds that are checked before memory is taken.
struct JpegLimits {
  uint64_t pixels_max = 178'000'000;
  uint32_t scans_max = 100;
};

/// One decoded file: everything a column store keeps of it but the envelope.
struct JpegImage {
  ImageGeometry geometry;
  std::vector<CoefficientPlanes> components;  ///< all 64 frequencies of each component of `geometry`
  bool progressive = false;
  bool truncated = false;  ///< the entropy-coded data ended early; libjpeg-turbo filled in the rest
  uint32_t warnings = 0;   ///< corrupt-data warnings that libjpeg-turbo gave
  uint8_t quality =
      0;  ///< estimate of libjpeg's quality 1..100 from the luma quantiser; 0 if not like its tables
};

/// Reads a whole JPEG file. Thread-safe.
///
/// Sequential and progressive Huffman files of 8 bits with one component, or three in YCbCr or RGB, and any
/// sampling factors. Errors (reason, code):
///   EMPTY_FILE, NOT_A_JPEG, CORRUPT_JPEG (INVALID_ARGUMENT): nothing usable in the bytes;
///   UNSUPPORTED_JPEG (UNIMPLEMENTED): a valid file of a kind that is not stored, named in the message;
///   LIMIT_PIXELS, LIMIT_SCANS (RESOURCE_EXHAUSTED): beyond `limits`; the message names limit and value;
///   OUT_OF_MEMORY (RESOURCE_EXHAUSTED).
/// The image's components take the memory of `memory`: whoever reads file after file gives back the last
/// image's.
absl::StatusOr<JpegImage> ReadJpeg(Bytes file, const JpegLimits& limits,
                                   std::vector<CoefficientPlanes> memory = {});

}  // namespace freqstore

// JPEG bytes to quantised coefficients, without making pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/image_geometry.h"
#include "storage/jpeg/jpeg_limits.h"

namespace freqstore {

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

/// Reads a whole JPEG file: its first image, if there are several. Thread-safe.
///
/// Sequential and progressive files of 8 bits, Huffman-coded or arithmetic-coded, with one component, three
/// in YCbCr or RGB, or four in CMYK or YCCK, and any sampling factors. A height of 0 is taken from the DNL
/// marker behind the first scan. Huffman tables that a sequential file lacks are the standard ones (Motion
/// JPEG).
///
/// Reasons (never renamed) and when:
///   EMPTY_FILE          INVALID_ARGUMENT    there are no bytes
///   NOT_A_JPEG          INVALID_ARGUMENT    it does not start with SOI
///   CORRUPT_JPEG        INVALID_ARGUMENT    nothing usable: no image, no size, no components, a sampling
///                                           factor or quantiser step of zero, a marker that makes no sense,
///                                           a second frame, a large image with less than a bit a block
///   UNSUPPORTED_JPEG    UNIMPLEMENTED       a valid file of a kind that is not stored, named in the message:
///                                           12 bits, lossless, hierarchical, two components
///   LIMIT_PIXELS        RESOURCE_EXHAUSTED  beyond `limits`, as are LIMIT_SCANS, LIMIT_MARKERS and
///                                           LIMIT_MARKER_BYTES; the message names limit and value
///   LIMIT_COMPONENTS    RESOURCE_EXHAUSTED  more than kComponentsMax
///   OUT_OF_MEMORY       RESOURCE_EXHAUSTED
/// The image's components take the memory of `memory`: whoever reads file after file gives back the last
/// image's.
absl::StatusOr<JpegImage> ReadJpeg(Bytes file, const JpegLimits& limits,
                                   std::vector<CoefficientPlanes> memory = {});

}  // namespace freqstore

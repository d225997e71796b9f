// A JPEG file becomes a row: its record and its packed columns.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/jpeg/jpeg_reader.h"
#include "storage/segment/packed_image.h"

namespace freqstore {

/// An image on its way in, and the file it came from.
struct EncodedImage {
  PackedImage packed;
  std::string file;

  const ImageRecord& record() const { return packed.record; }
};

/// Decodes the entropy coding of `file`, whose SHA-256 is `sha256`, and packs its columns. Errors: those of
/// ReadJpeg. Thread-safe.
absl::StatusOr<EncodedImage> EncodeImage(std::string image_id, std::string sha256, std::string file,
                                         const JpegLimits& limits);

/// OK if `image_id` may name an image: 1 to 1024 bytes of UTF-8 without control characters
/// (INVALID_IMAGE_ID).
absl::Status CheckImageId(std::string_view image_id);

}  // namespace freqstore

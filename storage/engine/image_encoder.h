// A JPEG file becomes a row: its record and its packed columns.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/attribute/attribute_schema.h"
#include "storage/jpeg/jpeg_reader.h"
#include "storage/segment/packed_image.h"

namespace freqstore {

/// An image on its way in, and what gives its file back.
struct EncodedImage {
  PackedImage packed;
  std::string original;  ///< the envelope, or the whole file where record().keep_reason says so
  OwnAttributes attributes;

  const ImageRecord& record() const { return packed.record; }
};

/// What becomes of a file whose entropy-coded data is cut off or corrupt.
enum class OnDamage : uint8_t {
  kKeep,    ///< it is stored as libjpeg-turbo fills it in; the record says so, and the file comes back as it
            ///< was
  kReject,  ///< DAMAGED_JPEG
};

/// Decodes the entropy coding of `file`, whose SHA-256 is `sha256`, packs its columns, and makes its
/// envelope. Errors: those of ReadJpeg; INVALID_ARGUMENT (DAMAGED_JPEG) if `on_damage` says so. Thread-safe.
absl::StatusOr<EncodedImage> EncodeImage(std::string image_id, std::string sha256, std::string file,
                                         const JpegLimits& limits, OnDamage on_damage = OnDamage::kKeep);

/// OK if `image_id` may name an image: 1 to 1024 bytes of UTF-8 without control characters
/// (INVALID_IMAGE_ID).
absl::Status CheckImageId(std::string_view image_id);

}  // namespace freqstore

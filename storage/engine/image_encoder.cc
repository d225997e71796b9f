#include "storage/engine/image_encoder.h"

#include <utility>

#include "fmt/format.h"
#include "storage/base/clock.h"
#include "storage/base/status.h"
#include "storage/base/utf8.h"
#include "storage/jpeg/jpeg_envelope.h"

namespace freqstore {
namespace {

constexpr size_t kImageIdBytesMax = 1024;
constexpr size_t kKeptBytesMax = size_t{16} << 20;

}  // namespace

absl::StatusOr<EncodedImage> EncodeImage(std::string image_id, std::string sha256, std::string file,
                                         const JpegLimits& limits, OnDamage on_damage) {
  // A thread's images use the same memory one after the other: fresh memory would cost as much as decoding.
  thread_local std::vector<CoefficientPlanes> memory;
  ASSIGN_OR_RETURN(JpegImage image, ReadJpeg(AsBytes(file), limits, std::move(memory)));
  if (on_damage == OnDamage::kReject && (image.truncated || image.warnings > 0)) {
    return MakeError(absl::StatusCode::kInvalidArgument, "DAMAGED_JPEG",
                     fmt::format("the file is {}, and damage is to be rejected; the decoder warned {} times",
                                 image.truncated ? "cut off" : "corrupt", image.warnings));
  }
  EnvelopeResult envelope = MakeEnvelope(AsBytes(file), image, limits);
  ImageRecord record;
  record.image_id = std::move(image_id);
  record.geometry = std::move(image.geometry);
  record.progressive = image.progressive;
  record.truncated = image.truncated;
  record.warnings = image.warnings;
  record.quality = image.quality;
  record.file_bytes = file.size();
  record.sha256 = std::move(sha256);
  record.import_time_us = NowMicros();
  record.keep_reason = envelope.keep_reason;
  const bool is_kept = envelope.keep_reason != KeepReason::kNone;
  EncodedImage encoded{PackImage(std::move(record), image.components),
                       is_kept ? std::move(file) : std::move(envelope.envelope),
                       {}};
  size_t bytes = 0;
  for (const CoefficientPlanes& planes : image.components) bytes += planes.bytes();
  memory.clear();
  if (bytes <= kKeptBytesMax) memory = std::move(image.components);
  return encoded;
}

absl::Status CheckImageId(std::string_view image_id) {
  if (!image_id.empty() && image_id.size() <= kImageIdBytesMax && IsPrintableUtf8(image_id))
    return absl::OkStatus();
  return MakeError(
      absl::StatusCode::kInvalidArgument, "INVALID_IMAGE_ID",
      fmt::format("an image_id is 1 to {} bytes of UTF-8 without control characters; this one has {} bytes",
                  kImageIdBytesMax, image_id.size()));
}

}  // namespace freqstore

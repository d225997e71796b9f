#include "storage/engine/system_attributes.h"

#include "absl/strings/escaping.h"
#include "storage/base/geometry_names.h"
#include "storage/jpeg/jpeg_envelope.h"

namespace freqstore {
namespace {

AttributeValue Integer(uint64_t value) {
  return static_cast<int64_t>(value);
}

AttributeValue UnlessEmpty(const std::string& text) {
  return text.empty() ? AttributeValue() : AttributeValue(text);
}

}  // namespace

AttributeValue ValueOf(const ImageRecord& image, SystemAttribute attribute) {
  switch (attribute) {
    case SystemAttribute::kWidth:
      return Integer(image.geometry.width);
    case SystemAttribute::kHeight:
      return Integer(image.geometry.height);
    case SystemAttribute::kColor:
      return ColorName(image.geometry.color);
    case SystemAttribute::kSampling:
      return SamplingName(image.geometry);
    case SystemAttribute::kOrientation:
      return Integer(image.geometry.orientation);
    case SystemAttribute::kQuality:
      return image.quality == 0 ? AttributeValue() : Integer(image.quality);
    case SystemAttribute::kProgressive:
      return image.progressive;
    case SystemAttribute::kTruncated:
      return image.truncated;
    case SystemAttribute::kWarnings:
      return Integer(image.warnings);
    case SystemAttribute::kFileBytes:
      return Integer(image.file_bytes);
    case SystemAttribute::kImportTime:
      return Timestamp{image.import_time_us};
    case SystemAttribute::kDuplicateOf:
      return UnlessEmpty(image.duplicate_of);
    case SystemAttribute::kKeepReason:
      return image.keep_reason == KeepReason::kNone ? AttributeValue()
                                                    : std::string(KeepReasonName(image.keep_reason));
    case SystemAttribute::kImageId:
      return image.image_id;
    case SystemAttribute::kSha256:
      return absl::BytesToHexString(image.sha256);
  }
  return {};
}

}  // namespace freqstore

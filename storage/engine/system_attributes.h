// What Freqstore knows of every image, as attributes.
#pragma once

#include "storage/attribute/attribute_schema.h"
#include "storage/attribute/attribute_value.h"
#include "storage/segment/image_record.h"

namespace freqstore {

/// Absent: no estimate of the quality, no other image with the same content, an original file that is
/// rebuilt.
AttributeValue ValueOf(const ImageRecord& image, SystemAttribute attribute);

/// Whether segments have a column of it. The others are read from the image table.
constexpr bool IsStoredByColumn(SystemAttribute attribute) {
  return attribute != SystemAttribute::kImageId && attribute != SystemAttribute::kSha256;
}

}  // namespace freqstore

// Rows of the store as messages.
#pragma once

#include <string_view>

#include "freqstore/v1/image.pb.h"
#include "storage/segment/image_record.h"

namespace freqstore {

void ToProto(std::string_view dataset, const ImageRecord& record, bool in_delta, v1::Image& proto);

}  // namespace freqstore

// Rows of the store as messages.
#pragma once

#include <string>
#include <string_view>

#include "freqstore/v1/image.pb.h"
#include "storage/segment/image_record.h"

namespace freqstore {

void ToProto(std::string_view dataset, const ImageRecord& record, bool in_delta, v1::Image& proto);

/// "grayscale", "ycbcr", "rgb".
std::string ColorName(ColorModel color);

/// "4:2:0" and its like where the usual names apply, else the factors: "2x2,1x1,1x1".
std::string SamplingName(const ImageGeometry& geometry);

}  // namespace freqstore

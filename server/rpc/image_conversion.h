// Rows of the store as messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "freqstore/v1/image.pb.h"
#include "storage/segment/image_record.h"

namespace freqstore {

void ToProto(std::string_view dataset, const ImageRecord& record, bool in_delta, v1::Image& proto);

/// "grayscale", "ycbcr", "rgb".
std::string ColorName(ColorModel color);

/// "4:2:0" and its like where the usual names apply, else the factors: "2x2,1x1,1x1".
std::string SamplingName(const ImageGeometry& geometry);
/// The same of factors as the catalog stores them, h * 16 + v.
std::string SamplingName(const std::vector<uint32_t>& factors);

}  // namespace freqstore

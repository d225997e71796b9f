#include "server/rpc/image_conversion.h"

#include <map>

#include <google/protobuf/util/time_util.h>

#include "fmt/format.h"
#include "server/rpc/resource_name.h"

namespace freqstore {

std::string ColorName(ColorModel color) {
  switch (color) {
    case ColorModel::kGrayscale:
      return "grayscale";
    case ColorModel::kYCbCr:
      return "ycbcr";
    case ColorModel::kCmyk:
      return "cmyk";
    case ColorModel::kAdobeCmyk:
      return "adobe-cmyk";
    case ColorModel::kAdobeYcck:
      return "adobe-ycck";
    case ColorModel::kRgb:
      break;
  }
  return "rgb";
}

std::string SamplingName(const ImageGeometry& geometry) {
  std::vector<uint32_t> factors;
  for (const ComponentGeometry& component : geometry.components) {
    factors.push_back(uint32_t{component.h_samp} * 16 + component.v_samp);
  }
  return SamplingName(factors);
}

std::string SamplingName(const std::vector<uint32_t>& stored) {
  std::string factors;
  for (const uint32_t factor : stored) {
    if (!factors.empty()) factors += ',';
    factors += fmt::format("{}x{}", factor / 16, factor % 16);
  }
  static const std::map<std::string, std::string> kUsual = {
      {"1x1", "4:0:0"},         {"1x1,1x1,1x1", "4:4:4"}, {"2x1,1x1,1x1", "4:2:2"}, {"2x2,1x1,1x1", "4:2:0"},
      {"1x2,1x1,1x1", "4:4:0"}, {"4x1,1x1,1x1", "4:1:1"}, {"4x2,1x1,1x1", "4:1:0"}};
  const auto usual = kUsual.find(factors);
  return usual != kUsual.end() ? usual->second : factors;
}

void ToProto(std::string_view dataset, const ImageRecord& record, bool in_delta, v1::Image& proto) {
  proto.set_name(ImageName(dataset, record.image_id));
  proto.set_image_id(record.image_id);
  proto.set_width(record.geometry.width);
  proto.set_height(record.geometry.height);
  proto.set_color(ColorName(record.geometry.color));
  proto.set_sampling(SamplingName(record.geometry));
  proto.set_orientation(record.geometry.orientation);
  proto.set_quality(record.quality);
  proto.set_progressive(record.progressive);
  proto.set_truncated(record.truncated);
  proto.set_warnings(record.warnings);
  proto.set_file_bytes(record.file_bytes);
  proto.set_sha256(record.sha256);
  *proto.mutable_import_time() =
      google::protobuf::util::TimeUtil::MicrosecondsToTimestamp(record.import_time_us);
  proto.set_in_delta(in_delta);
}

}  // namespace freqstore

#include "storage/base/geometry_names.h"

#include <map>
#include <vector>

#include "fmt/format.h"

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

std::string SamplingName(std::span<const uint32_t> stored) {
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

}  // namespace freqstore

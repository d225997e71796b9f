#include "client/cli/image_json.h"

#include <map>

#include <google/protobuf/util/time_util.h>

#include "client/cli/attribute_text.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

using google::protobuf::util::TimeUtil;

std::string Hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

}  // namespace

Json ToJson(const v1::Image& image) {
  Json json;
  json["image"] = image.image_id();
  json["width"] = image.width();
  json["height"] = image.height();
  json["color"] = image.color();
  json["sampling"] = image.sampling();
  json["orientation"] = image.orientation();
  json["quality"] = image.quality();
  json["progressive"] = image.progressive();
  json["truncated"] = image.truncated();
  json["warnings"] = image.warnings();
  json["bytes"] = image.file_bytes();
  json["sha256"] = Hex(image.sha256());
  json["imported"] = TimeUtil::ToString(image.import_time());
  json["in_delta"] = image.in_delta();
  if (!image.duplicate_of().empty()) json["duplicate_of"] = image.duplicate_of();
  if (!image.keep_reason().empty()) json["keep_reason"] = image.keep_reason();
  json["attributes"] = Json::object();
  const std::map<std::string, v1::AttributeValue> sorted(image.attributes().begin(),
                                                         image.attributes().end());
  for (const auto& [name, value] : sorted) json["attributes"][name] = ToJson(value);
  return json;
}

}  // namespace freqstore::cli

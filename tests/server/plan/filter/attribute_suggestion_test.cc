#include "server/plan/filter/attribute_suggestion.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("The nearest name is suggested, and none if none is near") {
  const AttributeSchema schema({{256, "label", AttributeType::kString}, {257, "x", AttributeType::kDouble}});
  CHECK(NearestAttribute("lable", schema) == "label");
  CHECK(NearestAttribute("labels", schema) == "label");
  CHECK(NearestAttribute("LABEL", schema) == "label");
  CHECK(NearestAttribute("hight", schema) == "height");
  CHECK(NearestAttribute("import-time", schema) == "import_time");
  CHECK(NearestAttribute("imageid", schema) == "image_id");
  CHECK(NearestAttribute("xy", schema) == "x");
  CHECK(NearestAttribute("y", schema).empty());
  CHECK(NearestAttribute("banana", schema).empty());
  CHECK(NearestAttribute(std::string(10'000, 'w'), schema).empty());
}

TEST_CASE("A dataset's own attributes are listed first, and not too many") {
  std::vector<AttributeDef> own;
  for (uint32_t i = 0; i < 3; ++i) own.push_back({256 + i, "own" + std::to_string(i), AttributeType::kBool});
  CHECK(UnknownAttributeMessage("banana", AttributeSchema(own)) ==
        "there is no attribute 'banana'. Attributes: own0, own1, own2, width, height, color, sampling, "
        "orientation, quality, progressive, truncated, warnings and 6 more");
}

}  // namespace
}  // namespace freqstore

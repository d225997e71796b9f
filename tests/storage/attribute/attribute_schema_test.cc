#include "storage/attribute/attribute_schema.h"

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

TEST_CASE("System attributes are found by name and number") {
  const AttributeSchema schema;
  CHECK(SystemAttributes().size() == 15);
  uint32_t number = 0;
  for (const AttributeDef& def : SystemAttributes()) {
    CAPTURE(def.name);
    CHECK(def.id == ++number);
    CHECK(IsSystemAttribute(def.id));
    CHECK(CheckAttributeName(def.name).ok());
    CHECK(schema.Find(def.name) == &def);
    CHECK(schema.Find(def.id) == &def);
  }
  CHECK(schema.Find("width")->type == AttributeType::kInteger);
  CHECK(schema.Find("sha256")->type == AttributeType::kString);
  CHECK(schema.Find("progressive")->type == AttributeType::kBool);
  CHECK(schema.Find("import_time")->type == AttributeType::kTimestamp);
  CHECK(schema.own().empty());
}

TEST_CASE("What a schema lacks is not found") {
  const AttributeSchema schema(
      {{256, "label", AttributeType::kString}, {258, "age", AttributeType::kInteger}});
  for (const char* name : {"", "a", "lab", "labels", "Label", "Width", "zebra"})
    CHECK(schema.Find(std::string_view(name)) == nullptr);
  for (const uint32_t id : {0u, 16u, 255u, 257u, 259u, ~0u}) CHECK(schema.Find(id) == nullptr);
  CHECK(schema.Find("age")->id == 258);
  CHECK(schema.Find(256u)->name == "label");
}

TEST_CASE("A dataset gets attributes one by one") {
  AttributeSchema schema;
  for (const char* name : {"label", "camera", "Label", "_x9"}) {
    auto with = schema.With(name, AttributeType::kDouble);
    REQUIRE(with.ok());
    CHECK(schema.Find(std::string_view(name)) == nullptr);
    schema = *std::move(with);
  }
  REQUIRE(schema.own().size() == 4);
  for (size_t i = 0; i < 4; ++i) {
    const AttributeDef& def = schema.own()[i];
    CHECK(def.id == kFirstOwnAttribute + i);
    CHECK(schema.Find(def.name) == &def);
    CHECK(schema.Find(def.id) == &def);
  }
}

TEST_CASE("A number is not given twice where one is missing") {
  const AttributeSchema schema({{256, "a", AttributeType::kBool}, {300, "b", AttributeType::kBool}});
  CHECK(schema.With("c", AttributeType::kBool)->Find("c")->id == 301);
}

TEST_CASE("Names that are taken or reserved are refused") {
  const AttributeSchema schema({{256, "label", AttributeType::kString}});
  const auto reason = [&](const char* name) {
    return ReasonOf(schema.With(name, AttributeType::kString).status());
  };
  CHECK(reason("label") == "ATTRIBUTE_EXISTS");
  CHECK(reason("width") == "RESERVED_ATTRIBUTE_NAME");
  CHECK(reason("image_id") == "RESERVED_ATTRIBUTE_NAME");
  CHECK(reason("1st") == "INVALID_ATTRIBUTE_NAME");
  CHECK(reason("Width") == "OK");
}

TEST_CASE("A dataset has so many attributes and no more") {
  std::vector<AttributeDef> own;
  for (uint32_t i = 0; i < kOwnAttributesMax; ++i)
    own.push_back({kFirstOwnAttribute + i, fmt::format("a{}", i), AttributeType::kInteger});
  const AttributeDef last = own.back();
  const AttributeSchema full(own);
  CHECK(full.Find(last.name)->id == last.id);
  CHECK(ReasonOf(full.With("one_more", AttributeType::kInteger).status()) == "TOO_MANY_ATTRIBUTES");
  own.pop_back();
  CHECK(AttributeSchema(own).With("one_more", AttributeType::kInteger).ok());
}

TEST_CASE("Names are words of filters") {
  for (const std::string& name : {std::string("a"), std::string("_"), std::string("A9_z"), std::string("and"),
                                  std::string("True"), std::string(63, 'x')}) {
    CHECK(CheckAttributeName(name).ok());
  }
  for (const std::string& name :
       {std::string(), std::string("9a"), std::string("a-b"), std::string("a.b"), std::string("a b"),
        std::string("caf\xc3\xa9"), std::string("a\0", 2), std::string("AND"), std::string("OR"),
        std::string("NOT"), std::string("true"), std::string("false"), std::string(64, 'x')}) {
    CAPTURE(name);
    CHECK(ReasonOf(CheckAttributeName(name)) == "INVALID_ATTRIBUTE_NAME");
  }
}

}  // namespace
}  // namespace freqstore

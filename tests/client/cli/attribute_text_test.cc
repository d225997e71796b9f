#include "client/cli/attribute_text.h"

#include <initializer_list>
#include <limits>

#include <catch2/catch_test_macros.hpp>

namespace freqstore::cli {
namespace {

v1::AttributeType Infer(std::initializer_list<const char*> texts) {
  TypeInference inference;
  for (const char* text : texts) inference.Add(text);
  return inference.type();
}

std::string ReasonOfKey(std::string_view text) {
  try {
    (void)ParseAttributeKey(text);
  } catch (const UsageError& error) {
    return error.reason();
  }
  return "OK";
}

bool Parses(std::string_view text, v1::AttributeType type) {
  try {
    (void)ParseAttributeValue(text, type);
  } catch (const UsageError&) {
    return false;
  }
  return true;
}

TEST_CASE("keys have a name and perhaps a type") {
  REQUIRE(ParseAttributeKey("label").name == "label");
  REQUIRE(ParseAttributeKey("label").type == v1::ATTRIBUTE_TYPE_UNSPECIFIED);
  REQUIRE(ParseAttributeKey("_a1:timestamp").name == "_a1");
  REQUIRE(ParseAttributeKey("_a1:timestamp").type == v1::ATTRIBUTE_TYPE_TIMESTAMP);
  for (const char* text : {"", "1a", "a b", "a-b", "ä", "AND", "true", ":string"})
    REQUIRE(ReasonOfKey(text) == "INVALID_ATTRIBUTE_NAME");
  REQUIRE(ReasonOfKey(std::string(63, 'a')) == "OK");
  REQUIRE(ReasonOfKey(std::string(64, 'a')) == "INVALID_ATTRIBUTE_NAME");
  for (const char* text : {"width", "sha256", "image_id:string"})
    REQUIRE(ReasonOfKey(text) == "RESERVED_ATTRIBUTE_NAME");
  for (const char* text : {"a:", "a:int", "a:string:"}) REQUIRE(ReasonOfKey(text) == "ATTRIBUTE_TYPE");
}

TEST_CASE("values are of their type") {
  REQUIRE(ParseAttributeValue("-9223372036854775808", v1::ATTRIBUTE_TYPE_INTEGER).integer_value() ==
          std::numeric_limits<int64_t>::min());
  REQUIRE(ParseAttributeValue("+7", v1::ATTRIBUTE_TYPE_INTEGER).integer_value() == 7);
  REQUIRE(ParseAttributeValue("1e3", v1::ATTRIBUTE_TYPE_DOUBLE).double_value() == 1000);
  REQUIRE(ParseAttributeValue("-inf", v1::ATTRIBUTE_TYPE_DOUBLE).double_value() < 0);
  REQUIRE(ParseAttributeValue("true", v1::ATTRIBUTE_TYPE_BOOL).bool_value());
  REQUIRE(ParseAttributeValue("1970-01-02", v1::ATTRIBUTE_TYPE_TIMESTAMP).timestamp_value().seconds() ==
          86400);
  REQUIRE(ParseAttributeValue("1970-01-01T01:00:00.5+01:00", v1::ATTRIBUTE_TYPE_TIMESTAMP)
              .timestamp_value()
              .nanos() == 500'000'000);
  REQUIRE(ParseAttributeValue(" x ", v1::ATTRIBUTE_TYPE_STRING).string_value() == " x ");

  for (const char* text : {"", "1.0", "9223372036854775808", "1 ", " 1", "0x1", "+-1", "--1"})
    REQUIRE_FALSE(Parses(text, v1::ATTRIBUTE_TYPE_INTEGER));
  for (const char* text : {"", "nan", "1,5", "1e400", "one"})
    REQUIRE_FALSE(Parses(text, v1::ATTRIBUTE_TYPE_DOUBLE));
  for (const char* text : {"", "True", "1", "yes"}) REQUIRE_FALSE(Parses(text, v1::ATTRIBUTE_TYPE_BOOL));
  for (const char* text :
       {"", "2026", "2026-1-31", "2026-02-30", "31.01.2026", "2026-01-31T12:00", "2026-01-31T12:00:00"})
    REQUIRE_FALSE(Parses(text, v1::ATTRIBUTE_TYPE_TIMESTAMP));
  REQUIRE(Parses(std::string(4096, 'x'), v1::ATTRIBUTE_TYPE_STRING));
  REQUIRE_FALSE(Parses(std::string(4097, 'x'), v1::ATTRIBUTE_TYPE_STRING));
  REQUIRE_FALSE(Parses("\xff", v1::ATTRIBUTE_TYPE_STRING));
}

TEST_CASE("the narrowest type that all values have is inferred") {
  REQUIRE(Infer({}) == v1::ATTRIBUTE_TYPE_STRING);
  REQUIRE(Infer({"1", "-2"}) == v1::ATTRIBUTE_TYPE_INTEGER);
  REQUIRE(Infer({"1", "2.5"}) == v1::ATTRIBUTE_TYPE_DOUBLE);
  REQUIRE(Infer({"1", "9223372036854775808"}) == v1::ATTRIBUTE_TYPE_DOUBLE);
  REQUIRE(Infer({"true", "false"}) == v1::ATTRIBUTE_TYPE_BOOL);
  REQUIRE(Infer({"2026-01-31", "2026-01-31T12:00:00Z"}) == v1::ATTRIBUTE_TYPE_TIMESTAMP);
  REQUIRE(Infer({"1", "true"}) == v1::ATTRIBUTE_TYPE_STRING);
  REQUIRE(Infer({"2026-01-31", "soon"}) == v1::ATTRIBUTE_TYPE_STRING);
  REQUIRE(Infer({"1", "inf"}) == v1::ATTRIBUTE_TYPE_STRING);
  REQUIRE(Infer({"1", ""}) == v1::ATTRIBUTE_TYPE_STRING);
}

TEST_CASE("what is marked as text is no number, but may be a time") {
  TypeInference number;
  number.AddText("12");
  REQUIRE(number.type() == v1::ATTRIBUTE_TYPE_STRING);
  TypeInference time;
  time.AddText("2026-01-31");
  REQUIRE(time.type() == v1::ATTRIBUTE_TYPE_TIMESTAMP);
}

TEST_CASE("values become JSON") {
  const auto json = [](const char* text, v1::AttributeType type) {
    return ToJson(ParseAttributeValue(text, type)).dump();
  };
  REQUIRE(json("a\"b", v1::ATTRIBUTE_TYPE_STRING) == R"("a\"b")");
  REQUIRE(json("5", v1::ATTRIBUTE_TYPE_INTEGER) == "5");
  REQUIRE(json("0.25", v1::ATTRIBUTE_TYPE_DOUBLE) == "0.25");
  REQUIRE(json("-inf", v1::ATTRIBUTE_TYPE_DOUBLE) == R"("-inf")");
  REQUIRE(json("false", v1::ATTRIBUTE_TYPE_BOOL) == "false");
  REQUIRE(json("2026-01-31", v1::ATTRIBUTE_TYPE_TIMESTAMP) == R"("2026-01-31T00:00:00Z")");
  REQUIRE(ToJson(v1::AttributeValue()).is_null());
}

TEST_CASE("errors of several lines keep their carets at the end") {
  REQUIRE(ErrorText(CommandError("R", "one line")) == "error: one line [R]\n");
  REQUIRE(ErrorText(CommandError("R", "column 3: what\n  a b\n    ^")) ==
          "error: column 3: what [R]\n  a b\n    ^\n");
}

}  // namespace
}  // namespace freqstore::cli

// What is said of filters that are refused.
#include "server/plan/filter/filter_error.h"

#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "fmt/format.h"
#include "server/plan/filter/filter.h"
#include "storage/base/status.h"
#include "storage/base/utf8.h"

namespace freqstore {
namespace {

absl::Status Parse(std::string_view filter) {
  static const AttributeSchema schema({{256, "label", AttributeType::kString},
                                       {257, "age", AttributeType::kInteger},
                                       {258, "score", AttributeType::kDouble},
                                       {259, "good", AttributeType::kBool},
                                       {260, "taken", AttributeType::kTimestamp}});
  return ParseFilter(filter, schema).status();
}

struct Case {
  const char* filter;
  int column;
  const char* message;  ///< how it begins, after the column
};

void CheckAll(const char* reason, const std::vector<Case>& cases) {
  for (const Case& test : cases) {
    CAPTURE(test.filter);
    const absl::Status status = Parse(test.filter);
    const std::string message(MessageOf(status));
    CAPTURE(message);
    CHECK(status.code() == absl::StatusCode::kInvalidArgument);
    CHECK(ReasonOf(status) == reason);
    CHECK(message.starts_with(fmt::format("column {}: {}", test.column, test.message)));
    // The caret is in that column of the text.
    CHECK(message.ends_with(fmt::format("\n  {:>{}}", "^", test.column)));
  }
}

TEST_CASE("Syntax errors say what was expected, and where") {
  CheckAll(
      "INVALID_FILTER",
      {
          {"label = ", 9, "expected a value, not the end of the filter"},
          {"label = AND", 9, "expected a value; if AND is one, write \"AND\""},
          {"label = )", 9, "expected a value, not ')'"},
          {"label = = dog", 7, "write =, not =="},
          {"label == dog", 7, "write =, not =="},
          {"age <> 1", 6, "expected a value, not '>'"},
          {"label::dog", 7, "expected a value, not ':'"},
          {"label = (dog OR cat)", 9, "expected one value; of several, write label = ... OR label = ..."},
          {"label:(dog)", 7, "expected one value; of several, write label : ... OR label : ..."},
          {"dog", 1, "say which attribute: 'dog' has no comparator; expected as in label = dog"},
          {"label = hot dog", 13, "say which attribute: 'dog' has no comparator"},
          {"\"dog\"", 1, "say which attribute: an attribute's name without quotes"},
          {"'label' = dog", 1, "say which attribute"},
          {"good", 1, "say which attribute: 'good' has no comparator"},
          {"AND age = 1", 1, "expected an attribute or '(', not 'AND'"},
          {"age = 1 AND", 12, "expected an attribute or '(', not the end of the filter"},
          {"age = 1 OR OR age = 2", 12, "expected an attribute or '(', not 'OR'"},
          {"age = 1 AND OR age = 2", 13, "expected an attribute or '(', not 'OR'"},
          {"NOT", 4, "expected an attribute or '(', not the end of the filter"},
          {"NOT NOT age = 1", 5, "expected an attribute or '(', not 'NOT'"},
          {"--age = 1", 2, "expected an attribute or '(', not '-'"},
          {"()", 2, "expected an attribute or '(', not ')'"},
          {"(age = 1", 1, "there is no ')' for this '('"},
          {"age = 1)", 8, "there is no '(' for this ')'"},
          {"= 1", 1, "expected an attribute or '(', not '='"},
          {"1 < age", 1, "expected an attribute, not '1'; values are on the right"},
          {"age = 1, age = 2", 8, "expected an attribute or '(', not ','"},
          {"age = 1 and good = true", 9, "write AND, not and"},
          {"age = 1 && good = true", 9, "write AND, not &&"},
          {"age = 1 || good = true", 9, "write OR, not ||"},
          {"not(age = 1)", 1, "write NOT, not not"},
          {"!good = true", 1, "a '!' stands alone; write != or NOT"},
          {"camera.make = x", 7, "attributes have no fields"},
          {"label.x:*", 6, "attributes have no fields"},
          {"now() > taken", 1, "there are no functions, nor 'now'"},
          {"taken > now()", 9, "there are no functions, nor 'now'"},
          {"label = \"dog", 9, "the string that begins here does not end"},
          {"label = 'dog\\'", 9, "the string that begins here does not end"},
          {"label = \"a\\d\"", 11, "an unknown escape"},
          {"label = \"\\x4\"", 10, "an unknown escape"},
          {"label = \"\\xg0\"", 10, "an unknown escape"},
          {"label = \"\\x-1\"", 10, "an unknown escape"},
          {"label = \"\\", 10, "an unknown escape"},
          {"label = \x01", 9, "a filter is UTF-8 without control characters"},
          {"label = \"\xff\"", 10, "a filter is UTF-8 without control characters"},
      });
}

TEST_CASE("Unknown attributes are told from like ones") {
  CheckAll(
      "UNKNOWN_ATTRIBUTE",
      {
          {"lable = dog", 1, "there is no attribute 'lable'; did you mean 'label'? Attributes: label, age,"},
          {"age = 1 AND Label:*", 13, "there is no attribute 'Label'; did you mean 'label'?"},
          {"WIDTH > 1", 1, "there is no attribute 'WIDTH'; did you mean 'width'?"},
          {"a-b = 1", 1, "there is no attribute 'a-b'"},
          {"zebra_crossing = 1", 1, "there is no attribute 'zebra_crossing'. Attributes: label, "},
          {"caf\xc3\xa9 = 1", 1, "there is no attribute 'caf\xc3\xa9'"},
      });
}

TEST_CASE("Values of the wrong type are named with what was expected") {
  CheckAll(
      "FILTER_TYPE",
      {
          {"age = dog", 7, "'age' is of type integer, which takes an integer without quotes, not dog"},
          {"age = \"1\"", 7, "'age' is of type integer, which takes an integer without quotes, not \"1\""},
          {"age = 1x", 7, "'age' is of type integer"},
          {"age = 1e", 7, "'age' is of type integer"},
          {"age = 0x10", 7, "'age' is of type integer"},
          {"age = true", 7, "'age' is of type integer"},
          {"age < -", 7, "'age' is of type integer"},
          {"age = 1.5", 7, "'age' is of type integer, 64 bits, and never 1.5; compare it with < <= > or >="},
          {"age != 1.5", 8, "'age' is of type integer, 64 bits, and never 1.5"},
          {"age = 1e30", 7, "'age' is of type integer, 64 bits, and never 1e30"},
          {"age = -9223372036854775809", 7, "'age' is of type integer, 64 bits, and never -9223"},
          {"age:1", 5, "'age' is of type integer and ':' looks into strings; write age = ..."},
          {"good:true", 6, "'good' is of type bool and ':' looks into strings"},
          {"age:\"*\"", 5, "'age' is of type integer and ':' looks into strings"},
          {"age = *", 7, "'age' is of type integer"},
          {"score = nan", 9, "'score' is of type double, which takes a number"},
          {"score = '1'", 9, "'score' is of type double, which takes a number"},
          {"score < 1e999", 9, "'score' is of type double, which takes a number"},
          {"good = 1", 8, "'good' is of type bool, which takes true or false, not 1"},
          {"good = TRUE", 8, "'good' is of type bool, which takes true or false, not TRUE"},
          {"good = \"true\"", 8, "'good' is of type bool, which takes true or false, not \"true\""},
          {"taken > yesterday", 9, "'taken' is of type timestamp, which takes a date or time of RFC 3339"},
          {"taken > 2026-02-30", 9, "'taken' is of type timestamp"},
          {"taken > 1769860800", 9, "'taken' is of type timestamp"},
          {"label = *", 9,
           "'label' is of type string, which takes a word without * (there are no wildcards)"},
          {"label:do*", 7, "'label' is of type string, which takes a word without *"},
      });
}

TEST_CASE("Columns count characters, and the text is shown in one line") {
  const absl::Status status = Parse("label = \"caf\xc3\xa9 \xf0\x9f\x90\x88\"\n\tage = dog");
  CHECK(MessageOf(status).starts_with("column 25: "));
  CHECK(
      MessageOf(status).ends_with("\n  label = \"caf\xc3\xa9 \xf0\x9f\x90\x88\"  age = dog\n"
                                  "                          ^"));
}

TEST_CASE("Of a long filter the part around the place is shown") {
  const std::string filter =
      fmt::format("label = \"{:x<5000}\" AND age = dog AND label = \"{:y<5000}\"", "", "");
  const std::string message(MessageOf(Parse(filter)));
  CAPTURE(message);
  CHECK(message.size() < 400);
  CHECK(message.starts_with("column 5022: "));
  CHECK(message.find(fmt::format("\n  ...{:x<48}\" AND age = dog AND label = \"{:y<23}...\n", "", "")) !=
        std::string::npos);
  CHECK(message.ends_with(fmt::format("\n  {:>64}", "^")));
}

TEST_CASE("Messages stay short and printable, whatever is in a filter") {
  const std::string longest(kFilterBytesMax - 20, 'x');
  for (const char* shape : {"{}", "{} = 1", "age = {}", "age = '{}'", "{}(", "{}.x", "'{}'", "age = 1{}",
                            "age = \xc3\xa9{}", "age = '\xff{}'"}) {
    const std::string filter = fmt::format(fmt::runtime(shape), longest);
    CAPTURE(shape);
    const absl::Status status = Parse(filter);
    REQUIRE_FALSE(status.ok());
    std::string message(MessageOf(status));
    CHECK(message.size() < 700);
    std::erase(message, '\n');
    CHECK(IsPrintableUtf8(message));
  }
}

TEST_CASE("Long numbers are shortened too") {
  const absl::Status status = Parse(fmt::format("age = {:9<10000}", ""));
  CHECK(MessageOf(status).size() < 300);
}

TEST_CASE("Pieces of filters are cut between characters") {
  CHECK(Shorten("dog") == "dog");
  CHECK(Shorten(std::string(40, 'x')) == std::string(40, 'x'));
  CHECK(Shorten(std::string(41, 'x')) == std::string(40, 'x') + "...");
  CHECK(Shorten(std::string(39, 'x') + "\xc3\xa9y") == std::string(39, 'x') + "\xc3\xa9...");
  CHECK(Shorten("a\xff\n") == "a? ");
}

}  // namespace
}  // namespace freqstore

#include "server/plan/filter/filter.h"

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kIntegerMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kIntegerMax = std::numeric_limits<int64_t>::max();
constexpr size_t kRows = 6;

AttributeValue Text(std::string_view text) {
  return std::string(text);
}

AttributeValue Time(std::string_view text) {
  return ParseTimestamp(text).value();
}

const AttributeSchema& Schema() {
  static const AttributeSchema schema({{256, "label", AttributeType::kString},
                                       {257, "age", AttributeType::kInteger},
                                       {258, "score", AttributeType::kDouble},
                                       {259, "good", AttributeType::kBool},
                                       {260, "taken", AttributeType::kTimestamp}});
  return schema;
}

/// Rows a to f.
const std::map<std::string, std::vector<AttributeValue>>& Table() {
  static const std::map<std::string, std::vector<AttributeValue>> table = {
      {"label", {Text("dog"), Text("cat"), {}, Text("hot dog"), Text("7"), Text("a*\"b\"\\\n\xff")}},
      {"age", {int64_t{1}, int64_t{2}, {}, int64_t{-1}, kIntegerMin, kIntegerMax}},
      {"score", {0.25, 1.0, -3.0, {}, kInfinity, 0.0}},
      {"good", {true, false, {}, true, true, false}},
      {"taken",
       {Time("2026-01-31"),
        Time("2026-01-31T12:00:00Z"),
        {},
        Time("2025-12-31"),
        Time("1969-07-20"),
        Time("2026-01-31T12:00:00.25Z")}},
  };
  return table;
}

/// The rows that a filter selects, "adf", or the reason why it is none.
std::string Select(std::string_view filter) {
  const auto predicate = ParseFilter(filter, Schema());
  if (!predicate.ok()) return ReasonOf(predicate.status());
  const auto rows = predicate->Select(
      kRows, [](uint32_t attribute) -> absl::StatusOr<std::shared_ptr<const AttributeColumn>> {
        const AttributeDef* const def = Schema().Find(attribute);
        const auto values = Table().find(def->name);
        if (values == Table().end()) return nullptr;
        return std::make_shared<const AttributeColumn>(def->type, values->second);
      });
  REQUIRE(rows.ok());
  std::string letters;
  rows->ForEach([&](size_t row) { letters += static_cast<char>('a' + row); });
  return letters;
}

struct Case {
  const char* filter;
  const char* rows;
};

void CheckAll(const std::vector<Case>& cases) {
  for (const Case& test : cases) {
    CAPTURE(test.filter);
    CHECK(Select(test.filter) == test.rows);
    // Its canonical text means the same, to the letter.
    const auto predicate = ParseFilter(test.filter, Schema());
    REQUIRE(predicate.ok());
    const std::string canonical = FormatPredicate(*predicate, Schema());
    CAPTURE(canonical);
    const auto again = ParseFilter(canonical, Schema());
    REQUIRE(again.ok());
    CHECK(*again == *predicate);
    CHECK(FormatPredicate(*again, Schema()) == canonical);
  }
}

TEST_CASE("A blank filter is every row") {
  CheckAll({{"", "abcdef"}, {" \t\r\n ", "abcdef"}});
  CHECK(ParseFilter("", Schema())->is_all());
}

TEST_CASE("Strings are compared with words and strings") {
  CheckAll({
      {"label = dog", "a"},
      {"label=dog", "a"},
      {"label = \"dog\"", "a"},
      {"label = 'dog'", "a"},
      {"label != dog", "bdef"},
      {"label = 7", "e"},
      {"label = Dog", ""},
      {"label = \"hot dog\"", "d"},
      {"label < cat", "ef"},
      {"label >= d", "ad"},
      {"label = true", ""},
      {"label > -1.5e3:x/y", "abdef"},
      {R"(label = "a*\"b\"\\\n\xff")", "f"},
      {R"(label = 'a*"b"\\\n\xFF')", "f"},
      {R"(label = "\'")", ""},
  });
}

TEST_CASE("A colon looks into strings, and for values") {
  CheckAll({
      {"label:dog", "ad"},
      {"label : dog", "ad"},
      {"label:\"t d\"", "d"},
      {"label:\"*\"", "f"},
      {"label:\"\"", "abdef"},
      {"label:zebra", ""},
      {"label:*", "abdef"},
      {"score:*", "abcef"},
      {"good:*", "abdef"},
      {"NOT age:*", "c"},
      {"width:*", ""},
  });
}

TEST_CASE("Integers are compared with any number, exactly") {
  CheckAll({
      {"age = 1", "a"},
      {"age = +1", "a"},
      {"age = 1.0", "a"},
      {"age = 10e-1", "a"},
      {"age = -1", "d"},
      {"age != 1", "bdef"},
      {"age < 1.5", "ade"},
      {"age <= 1.5", "ade"},
      {"age > 1.5", "bf"},
      {"age >= 1.5", "bf"},
      {"age < -0.5", "de"},
      {"age >= -0.5", "abf"},
      {"age > -1.5", "abdf"},
      {"age < 1", "de"},
      {"age <= 1", "ade"},
      {"age > 1", "bf"},
      {"age >= 1", "abf"},
      {"age = 9223372036854775807", "f"},
      {"age = -9223372036854775808", "e"},
      {"age < 9223372036854775808", "abdef"},
      {"age >= 9223372036854775808", ""},
      {"age > 9223372036854775806.5", "f"},
      {"age > -9223372036854775808.5", "abdef"},
      {"age < -9223372036854775808.5", ""},
      {"age <= -9223372036854775807.5", "e"},
      {"age < 1e30", "abdef"},
      {"age <= 1e999999999999999999999", "abdef"},
      {"age > 1e30", ""},
      {"age >= 1e30", ""},
      {"age < -1e30", ""},
      {"age <= -1e30", ""},
      {"age > -1e30", "abdef"},
      {"age >= -1e30", "abdef"},
      {"age > 1e-999999999999999999999", "abf"},
  });
}

TEST_CASE("Doubles are compared with numbers") {
  CheckAll({
      {"score = 0.25", "a"},
      {"score = .25", "a"},
      {"score = 25e-2", "a"},
      {"score = 1", "b"},
      {"score < 0.5", "acf"},
      {"score = 0", "f"},
      {"score = -0", "f"},
      {"score >= -3", "abcef"},
      {"score = inf", "e"},
      {"score < inf", "abcf"},
      {"score > -inf", "abcef"},
      {"score > 1e-999", "abe"},
      {"score < 1e300", "abcf"},
  });
}

TEST_CASE("Bools are compared with true and false") {
  CheckAll({
      {"good = true", "ade"},
      {"good = false", "bf"},
      {"good != true", "bf"},
      {"good < true", "bf"},
      {"good >= false", "abdef"},
      {"NOT good = true", "bcf"},
  });
}

TEST_CASE("Moments are compared with dates and times") {
  CheckAll({
      {"taken = 2026-01-31", "a"},
      {"taken = \"2026-01-31\"", "a"},
      {"taken >= 2026-01-31", "abf"},
      {"taken > 2026-01-31T12:00:00Z", "f"},
      {"taken = '2026-01-31T13:00:00+01:00'", "b"},
      {"taken = 2026-01-31T13:00:00.250+01:00", "f"},
      {"taken < 1970-01-01", "e"},
      {"taken > \"2026-01-31 00:00:00Z\"", "bf"},
  });
}

TEST_CASE("Restrictions combine, OR tighter than AND") {
  CheckAll({
      {"label = dog AND age = 1", "a"},
      {"label = dog age = 1", "a"},
      {"label=\"dog\"age=1", "a"},
      {"label = dog OR label = cat", "ab"},
      {"good = true label = dog OR label = cat", "a"},
      {"good = true AND label = dog OR label = cat", "a"},
      {"(good = true AND label = dog) OR label = cat", "ab"},
      {"label = dog OR label = cat AND good = true", "a"},
      {"label = dog OR (label = cat AND good = true)", "a"},
      {"NOT label = dog", "bcdef"},
      {"-label = dog", "bcdef"},
      {"-label:dog", "bcef"},
      {"NOT(label = dog)", "bcdef"},
      {"-(label = dog OR label = cat)", "cdef"},
      {"NOT label = dog AND good = true", "de"},
      {"NOT label = dog OR good = true", "abcdef"},
      {"NOT (NOT label = dog)", "a"},
      {"((((label = dog))))", "a"},
      {"(label=dog)OR(label=cat)", "ab"},
      {"(label = dog)(age = 1)", "a"},
      {"label = dog\n  AND\tage = 1\r\n", "a"},
  });
}

TEST_CASE("What is beyond the limits is refused") {
  const std::string restriction = "age = 1 ";
  const auto repeat = [](const std::string& text, size_t times) {
    std::string repeated;
    for (size_t i = 0; i < times; ++i) repeated += text;
    return repeated;
  };
  CHECK(Select(repeat(restriction, kFilterRestrictionsMax)) == "a");
  CHECK(Select(repeat(restriction, kFilterRestrictionsMax + 1)) == "FILTER_TOO_COMPLEX");
  const auto depth = static_cast<size_t>(kFilterDepthMax);
  CHECK(Select(repeat("(", depth) + restriction + repeat(")", depth)) == "a");
  CHECK(Select(repeat("(", depth + 1) + restriction + repeat(")", depth + 1)) == "FILTER_TOO_COMPLEX");
  CHECK(Select(repeat("((age = 1) OR age = 2)", 100)) == "ab");
  CHECK(Select(repeat("(", kFilterBytesMax)) == "FILTER_TOO_COMPLEX");
  CHECK(Select(restriction + std::string(kFilterBytesMax - restriction.size(), ' ')) == "a");
  CHECK(Select(std::string(kFilterBytesMax + 1, ' ')) == "FILTER_TOO_LONG");
}

}  // namespace
}  // namespace freqstore

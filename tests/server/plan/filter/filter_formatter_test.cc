#include <limits>

#include <catch2/catch_test_macros.hpp>

#include "server/plan/filter/filter.h"

namespace freqstore {
namespace {

const AttributeSchema& Schema() {
  static const AttributeSchema schema(
      {{256, "label", AttributeType::kString}, {257, "score", AttributeType::kDouble}});
  return schema;
}

std::string Canonical(std::string_view filter) {
  const auto predicate = ParseFilter(filter, Schema());
  REQUIRE(predicate.ok());
  return FormatPredicate(*predicate, Schema());
}

TEST_CASE("Filters have one spelling") {
  CHECK(Canonical("") == "");
  CHECK(Canonical("label=dog") == "label = \"dog\"");
  CHECK(Canonical("label:'do'") == "label:\"do\"");
  CHECK(Canonical("label : *") == "label:*");
  CHECK(Canonical("-label!=dog") == "NOT label != \"dog\"");
  CHECK(Canonical("width > 1.5") == "width > 1");
  CHECK(Canonical("width < 1e30") == "width <= 9223372036854775807");
  CHECK(Canonical("score >= 25e-2") == "score >= 0.25");
  CHECK(Canonical("score = -0") == "score = 0");
  CHECK(Canonical("progressive = true") == "progressive = true");
  CHECK(Canonical("import_time < 2026-01-31") == "import_time < \"2026-01-31T00:00:00Z\"");
  CHECK(Canonical(R"(label = "\xff\n\"")") == R"(label = "\xff\x0a\"")");
}

TEST_CASE("Parentheses stand where they are needed") {
  CHECK(Canonical("width = 1 height = 2 OR (quality = 3)") == "width = 1 AND height = 2 OR quality = 3");
  CHECK(Canonical("(width = 1 AND height = 2) OR quality = 3") ==
        "(width = 1 AND height = 2) OR quality = 3");
  CHECK(Canonical("NOT (width = 1 OR height = 2)") == "NOT (width = 1 OR height = 2)");
  CHECK(Canonical("NOT (width = 1)") == "NOT width = 1");
  CHECK(Canonical("NOT (NOT (width = 1 height = 2))") == "width = 1 AND height = 2");
  CHECK(Canonical("(width = 1 AND (height = 2 AND quality = 3))") ==
        "width = 1 AND height = 2 AND quality = 3");
}

TEST_CASE("What no filter says has a text all the same") {
  const std::string none = FormatPredicate(Predicate::Not(Predicate::All()), Schema());
  CHECK(none == "NOT image_id:*");
  CHECK(ParseFilter(none, Schema()).ok());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Predicate infinite = Predicate::Compare(257, Predicate::Comparison::kLess, -kInfinity);
  CHECK(FormatPredicate(infinite, Schema()) == "score < -inf");
}

}  // namespace
}  // namespace freqstore

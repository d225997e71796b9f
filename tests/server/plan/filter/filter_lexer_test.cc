#include "server/plan/filter/filter_lexer.h"

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

/// The tokens' texts, a bar after each; keywords and marks in brackets.
std::string Split(std::string_view filter) {
  const auto tokens = LexFilter(filter);
  if (!tokens.ok()) return ReasonOf(tokens.status());
  std::string split;
  size_t end = 0;
  for (const FilterToken& token : *tokens) {
    CHECK(token.offset >= end);
    CHECK(filter.substr(token.offset, token.text.size()) == token.text);
    end = token.end();
    const bool is_text = token.kind == FilterToken::Kind::kWord || token.kind == FilterToken::Kind::kString;
    if (is_text) split += token.text;
    if (!is_text) split += fmt::format("[{}]", token.text);
    split += '|';
  }
  return split;
}

TEST_CASE("A filter always has an end") {
  CHECK(Split("") == "[]|");
  CHECK(Split(" \n") == "[]|");
}

TEST_CASE("Marks end words before a comparator") {
  CHECK(Split("a=1") == "a|[=]|1|[]|");
  CHECK(Split("a<=1 b>=2 c!=3") == "a|[<=]|1|b|[>=]|2|c|[!=]|3|[]|");
  CHECK(Split("a.b:c") == "a|[.]|b|[:]|c|[]|");
  CHECK(Split("-a b-c") == "[-]|a|b-c|[]|");
  CHECK(Split("NOT(a,b)") == "[NOT]|[(]|a|[,]|b|[)]|[]|");
  CHECK(Split("a AND b OR NOT c") == "a|[AND]|b|[OR]|[NOT]|c|[]|");
  CHECK(Split("ANDOR and") == "ANDOR|and|[]|");
}

TEST_CASE("Words after a comparator hold more") {
  CHECK(Split("a = -1.5e+3)") == "a|[=]|-1.5e+3|[)]|[]|");
  CHECK(Split("a > 2026-01-31T12:00:00.5+01:00") == "a|[>]|2026-01-31T12:00:00.5+01:00|[]|");
  CHECK(Split("a:b.jpg") == "a|[:]|b.jpg|[]|");
  CHECK(Split("a = b:c d:e") == "a|[=]|b:c|d|[:]|e|[]|");
  CHECK(Split("a::b") == "a|[:]|[:]|b|[]|");
  CHECK(Split("a = caf\xc3\xa9/x") == "a|[=]|caf\xc3\xa9/x|[]|");
}

TEST_CASE("Strings say what their escapes mean") {
  const auto tokens = LexFilter(R"('it''s' "\"\'\\\n\t\r\x00\xfF" "")");
  REQUIRE(tokens.ok());
  REQUIRE(tokens->size() == 5);
  CHECK((*tokens)[0].value == "it");
  CHECK((*tokens)[1].value == "s");
  CHECK((*tokens)[2].value == std::string("\"'\\\n\t\r\0\xff", 8));
  CHECK((*tokens)[3].value.empty());
}

TEST_CASE("Comparators know their meaning") {
  const auto tokens = LexFilter("= != < <= > >= :");
  REQUIRE(tokens.ok());
  REQUIRE(tokens->size() == 8);
  for (size_t i = 0; i < 7; ++i) {
    CHECK((*tokens)[i].kind == FilterToken::Kind::kComparator);
    CHECK((*tokens)[i].comparison == static_cast<Predicate::Comparison>(i));
  }
}

}  // namespace
}  // namespace freqstore

#include "server/plan/filter/filter_parser.h"

#include <array>
#include <utility>

#include "fmt/format.h"
#include "server/plan/filter/filter.h"
#include "server/plan/filter/filter_error.h"
#include "server/plan/filter/filter_lexer.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using Kind = FilterToken::Kind;

/// Words that other languages join conditions with, and what is meant.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kForeignWords = {{
    {"and", "AND"},
    {"And", "AND"},
    {"&&", "AND"},
    {"or", "OR"},
    {"Or", "OR"},
    {"||", "OR"},
    {"not", "NOT"},
    {"Not", "NOT"},
}};

FilterNode Join(FilterNode::Kind kind, std::vector<FilterNode> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return {.kind = kind, .parts = std::move(parts)};
}

class Parser {
 public:
  Parser(std::string_view filter, std::vector<FilterToken> tokens)
      : filter_(filter), tokens_(std::move(tokens)) {}

  absl::StatusOr<FilterNode> Parse() {
    ASSIGN_OR_RETURN(FilterNode tree, Expression());
    if (At(Kind::kRightParenthesis)) return Error(Here(), "there is no '(' for this ')'");
    return tree;
  }

 private:
  absl::Status Error(const FilterToken& token, std::string_view what) const {
    return FilterError("INVALID_FILTER", filter_, token.offset, what);
  }

  absl::Status TooComplex(std::string_view what) const {
    return FilterError("FILTER_TOO_COMPLEX", filter_, Here().offset, what);
  }

  const FilterToken& Here() const { return tokens_[next_]; }
  const FilterToken& Take() { return tokens_[next_++]; }
  bool At(Kind kind) const { return Here().kind == kind; }
  bool TakeIf(Kind kind) {
    if (!At(kind)) return false;
    ++next_;
    return true;
  }

  /// The token here as an error names it.
  std::string Found() const {
    return At(Kind::kEnd) ? std::string("the end of the filter") : fmt::format("'{}'", Shorten(Here().text));
  }

  absl::StatusOr<FilterNode> Expression() {
    std::vector<FilterNode> parts;
    do {
      ASSIGN_OR_RETURN(parts.emplace_back(), Factor());
    } while (TakeIf(Kind::kAnd) || !(At(Kind::kEnd) || At(Kind::kRightParenthesis)));
    return Join(FilterNode::Kind::kAnd, std::move(parts));
  }

  absl::StatusOr<FilterNode> Factor() {
    std::vector<FilterNode> parts;
    do {
      ASSIGN_OR_RETURN(parts.emplace_back(), Term());
    } while (TakeIf(Kind::kOr));
    return Join(FilterNode::Kind::kOr, std::move(parts));
  }

  absl::StatusOr<FilterNode> Term() {
    const bool is_negated = TakeIf(Kind::kNot) || TakeIf(Kind::kMinus);
    absl::StatusOr<FilterNode> node = At(Kind::kLeftParenthesis) ? Parentheses() : Restriction();
    if (!node.ok() || !is_negated) return node;
    FilterNode negation{.kind = FilterNode::Kind::kNot};
    negation.parts.push_back(*std::move(node));
    return negation;
  }

  absl::StatusOr<FilterNode> Parentheses() {
    if (depth_ == kFilterDepthMax)
      return TooComplex(fmt::format("more than {} parentheses within each other", kFilterDepthMax));
    const FilterToken& open = Take();
    ++depth_;
    ASSIGN_OR_RETURN(FilterNode node, Expression());
    if (!TakeIf(Kind::kRightParenthesis)) return Error(open, "there is no ')' for this '('");
    --depth_;
    return node;
  }

  absl::StatusOr<FilterNode> Restriction() {
    RETURN_IF_ERROR(CheckAttribute());
    if (++restrictions_ > kFilterRestrictionsMax)
      return TooComplex(fmt::format("more than {} restrictions", kFilterRestrictionsMax));
    const FilterToken& attribute = Take();
    if (!At(Kind::kComparator)) return WithoutComparator(attribute);
    const FilterToken& comparator = Take();
    RETURN_IF_ERROR(CheckValue(attribute, comparator));
    const FilterToken& value = Take();
    RETURN_IF_ERROR(CheckNoCall(value));
    const bool is_quoted = value.kind == Kind::kString;
    return FilterNode{.kind = FilterNode::Kind::kRestriction,
                      .restriction = {.attribute = attribute.text,
                                      .attribute_offset = attribute.offset,
                                      .comparison = comparator.comparison,
                                      .value = is_quoted ? value.value : std::string(value.text),
                                      .is_quoted = is_quoted,
                                      .value_offset = value.offset}};
  }

  absl::Status CheckAttribute() const {
    if (At(Kind::kString)) {
      return Error(Here(), fmt::format("say which attribute: an attribute's name without quotes and a "
                                       "comparator are expected, as in label = {}",
                                       Shorten(Here().text)));
    }
    if (!At(Kind::kWord)) return Error(Here(), fmt::format("expected an attribute or '(', not {}", Found()));
    if (const char first = Here().text.front(); first >= '0' && first <= '9')
      return Error(Here(), fmt::format("expected an attribute, not {}; values are on the right", Found()));
    return absl::OkStatus();
  }

  /// What is wrong where a comparator should stand after `attribute`.
  absl::Status WithoutComparator(const FilterToken& attribute) const {
    for (const auto& [foreign, meant] : kForeignWords)
      if (attribute.text == foreign) return Error(attribute, fmt::format("write {}, not {}", meant, foreign));
    RETURN_IF_ERROR(CheckNoCall(attribute));
    if (At(Kind::kDot))
      return Error(Here(), "attributes have no fields; '.' is for values, after a comparator");
    return Error(attribute,
                 fmt::format("say which attribute: '{0}' has no comparator; expected as in label = "
                             "{0}, or {0}:* for images that have the attribute",
                             Shorten(attribute.text)));
  }

  absl::Status CheckValue(const FilterToken& attribute, const FilterToken& comparator) const {
    if (At(Kind::kWord) || At(Kind::kString)) return absl::OkStatus();
    if (At(Kind::kLeftParenthesis)) {
      return Error(Here(), fmt::format("expected one value; of several, write {0} {1} ... OR {0} {1} ...",
                                       Shorten(attribute.text), comparator.text));
    }
    if (At(Kind::kAnd) || At(Kind::kOr) || At(Kind::kNot))
      return Error(Here(), fmt::format("expected a value; if {0} is one, write \"{0}\"", Here().text));
    if (comparator.text == "=" && Here().text == "=") return Error(comparator, "write =, not ==");
    return Error(Here(), fmt::format("expected a value, not {}", Found()));
  }

  /// That no '(' follows `word` immediately.
  absl::Status CheckNoCall(const FilterToken& word) const {
    if (word.kind != Kind::kWord || !At(Kind::kLeftParenthesis) || Here().offset != word.end())
      return absl::OkStatus();
    return Error(word, fmt::format("there are no functions, nor '{}'", Shorten(word.text)));
  }

  std::string_view filter_;
  std::vector<FilterToken> tokens_;
  size_t next_ = 0;
  int depth_ = 0;
  size_t restrictions_ = 0;
};

}  // namespace

absl::StatusOr<FilterNode> ParseFilterTree(std::string_view filter) {
  ASSIGN_OR_RETURN(std::vector<FilterToken> tokens, LexFilter(filter));
  return Parser(filter, std::move(tokens)).Parse();
}

}  // namespace freqstore

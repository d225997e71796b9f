#include "server/plan/filter/filter_lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "server/plan/filter/filter_error.h"
#include "storage/base/status.h"
#include "storage/base/utf8.h"

namespace freqstore {
namespace {

using Comparison = Predicate::Comparison;
using Kind = FilterToken::Kind;

constexpr std::string_view kSpace = " \t\n\r";
constexpr std::string_view kEndsWord = " \t\n\r()\"',=<>!:.";
constexpr std::string_view kEndsValue = " \t\n\r()\"',=<>!";

struct Mark {
  std::string_view text;
  Kind kind;
  Comparison comparison = Comparison::kEqual;
};

// Of two that begin alike, the longer one is first.
constexpr Mark kMarks[] = {
    {"!=", Kind::kComparator, Comparison::kNotEqual},
    {"<=", Kind::kComparator, Comparison::kLessOrEqual},
    {">=", Kind::kComparator, Comparison::kGreaterOrEqual},
    {"=", Kind::kComparator, Comparison::kEqual},
    {"<", Kind::kComparator, Comparison::kLess},
    {">", Kind::kComparator, Comparison::kGreater},
    {":", Kind::kComparator, Comparison::kContains},
    {"(", Kind::kLeftParenthesis},
    {")", Kind::kRightParenthesis},
    {"-", Kind::kMinus},
    {".", Kind::kDot},
    {",", Kind::kComma},
};

constexpr Mark kKeywords[] = {{"AND", Kind::kAnd}, {"OR", Kind::kOr}, {"NOT", Kind::kNot}};

class Lexer {
 public:
  explicit Lexer(std::string_view filter) : filter_(filter) {}

  absl::StatusOr<std::vector<FilterToken>> Lex() {
    RETURN_IF_ERROR(CheckText());
    while (true) {
      position_ = std::min(filter_.find_first_not_of(kSpace, position_), filter_.size());
      ASSIGN_OR_RETURN(FilterToken token, Next());
      position_ = token.end();
      is_after_comparator_ = token.kind == Kind::kComparator;
      tokens_.push_back(std::move(token));
      if (tokens_.back().kind == Kind::kEnd) return std::move(tokens_);
    }
  }

 private:
  absl::Status Error(size_t offset, std::string_view what) const {
    return FilterError("INVALID_FILTER", filter_, offset, what);
  }

  std::string_view rest() const { return filter_.substr(position_); }

  absl::Status CheckText() const {
    for (size_t i = 0; i < filter_.size();) {
      const size_t bytes = PrintableCharacterBytes(filter_.substr(i));
      if (bytes == 0 && kSpace.find(filter_[i]) == std::string_view::npos)
        return Error(i, "a filter is UTF-8 without control characters; write \\xNN in a string");
      i += std::max<size_t>(1, bytes);
    }
    return absl::OkStatus();
  }

  FilterToken Token(Kind kind, size_t bytes) const {
    return {.kind = kind, .offset = position_, .text = rest().substr(0, bytes)};
  }

  absl::StatusOr<FilterToken> Next() {
    if (rest().empty()) return Token(Kind::kEnd, 0);
    if (rest().front() == '"' || rest().front() == '\'') return String();
    const std::string_view ends_word = is_after_comparator_ ? kEndsValue : kEndsWord;
    const char begins_no_word = is_after_comparator_ ? ':' : '-';
    const bool is_word =
        rest().front() != begins_no_word && ends_word.find(rest().front()) == std::string_view::npos;
    if (is_word) return Word(std::min(rest().find_first_of(ends_word), rest().size()));
    for (const Mark& mark : kMarks) {
      if (!rest().starts_with(mark.text)) continue;
      FilterToken token = Token(mark.kind, mark.text.size());
      token.comparison = mark.comparison;
      return token;
    }
    return Error(position_, "a '!' stands alone; write != or NOT");
  }

  FilterToken Word(size_t bytes) const {
    for (const Mark& keyword : kKeywords)
      if (keyword.text == rest().substr(0, bytes)) return Token(keyword.kind, bytes);
    return Token(Kind::kWord, bytes);
  }

  absl::StatusOr<FilterToken> String() const {
    const char quote = rest().front();
    std::string value;
    for (size_t i = 1; i < rest().size();) {
      if (rest()[i] == quote) {
        FilterToken token = Token(Kind::kString, i + 1);
        token.value = std::move(value);
        return token;
      }
      if (rest()[i] != '\\') {
        value += rest()[i++];
        continue;
      }
      const std::optional<Escape> escape = ReadEscape(rest().substr(i));
      if (!escape) {
        return Error(position_ + i,
                     "an unknown escape; strings have \\\" \\' \\\\ \\n \\t \\r and \\xNN, two hex digits");
      }
      value += escape->meaning;
      i += escape->bytes;
    }
    return Error(position_, "the string that begins here does not end");
  }

  struct Escape {
    char meaning;
    size_t bytes;
  };

  static std::optional<Escape> ReadEscape(std::string_view text) {
    constexpr std::string_view kNames = "\"'\\ntr";
    constexpr std::string_view kMeanings = "\"'\\\n\t\r";
    if (text.size() < 2) return std::nullopt;
    if (const size_t which = kNames.find(text[1]); which != std::string_view::npos)
      return Escape{kMeanings[which], 2};
    if (text[1] != 'x' || text.size() < 4) return std::nullopt;
    uint8_t byte = 0;
    const char* const end = text.data() + 4;
    if (std::from_chars(text.data() + 2, end, byte, 16).ptr != end) return std::nullopt;
    return Escape{static_cast<char>(byte), 4};
  }

  std::string_view filter_;
  size_t position_ = 0;
  bool is_after_comparator_ = false;
  std::vector<FilterToken> tokens_;
};

}  // namespace

absl::StatusOr<std::vector<FilterToken>> LexFilter(std::string_view filter) {
  return Lexer(filter).Lex();
}

}  // namespace freqstore

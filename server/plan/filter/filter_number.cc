#include "server/plan/filter/filter_number.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace freqstore {
namespace {

constexpr int64_t kExponentMax = 1'000'000'000;
constexpr int64_t kInt64Digits = 19;
constexpr uint64_t kInt64Max = std::numeric_limits<int64_t>::max();

std::string_view TakeDigits(std::string_view& text) {
  const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

/// '+', '-' or nothing. Whether it is '-'.
bool TakeSign(std::string_view& text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  return is_negative;
}

/// nullopt if there are no digits.
std::optional<int64_t> TakeExponent(std::string_view& text) {
  const bool is_negative = TakeSign(text);
  const std::string_view digits = TakeDigits(text);
  if (digits.empty()) return std::nullopt;
  int64_t exponent = 0;
  for (const char digit : digits) exponent = std::min(exponent * 10 + (digit - '0'), kExponentMax);
  return is_negative ? -exponent : exponent;
}

}  // namespace

std::optional<FilterNumber> ParseFilterNumber(std::string_view text) {
  FilterNumber number;
  number.is_negative = TakeSign(text);
  const std::string_view whole = TakeDigits(text);
  number.digits = whole;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    number.digits += TakeDigits(text);
  }
  if (number.digits.empty()) return std::nullopt;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    const std::optional<int64_t> exponent = TakeExponent(text);
    if (!exponent) return std::nullopt;
    number.exponent = *exponent;
  }
  if (!text.empty()) return std::nullopt;

  const size_t zeros = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, zeros);
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
  number.exponent += static_cast<int64_t>(whole.size()) - static_cast<int64_t>(zeros);
  if (number.digits.empty()) number = {};
  return number;
}

FilterInteger FloorOf(const FilterNumber& number) {
  const auto digits = static_cast<int64_t>(number.digits.size());
  const FilterInteger beyond = {
      .floor = number.is_negative ? std::nullopt : std::optional(std::numeric_limits<int64_t>::max())};
  if (number.exponent > kInt64Digits) return beyond;
  uint64_t magnitude = 0;
  for (int64_t i = 0; i < number.exponent; ++i)
    magnitude = magnitude * 10 +
                (i < digits ? static_cast<uint64_t>(number.digits[static_cast<size_t>(i)] - '0') : 0);
  const bool is_exact = digits <= std::max<int64_t>(number.exponent, 0);
  if (!number.is_negative) {
    if (magnitude > kInt64Max) return beyond;
    return {static_cast<int64_t>(magnitude), is_exact};
  }
  if (!is_exact) ++magnitude;
  if (magnitude > kInt64Max + 1) return beyond;
  return {static_cast<int64_t>(-magnitude), is_exact};
}

std::optional<double> NearestDouble(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double nearest = 0;
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), nearest);
  if (result.ec == std::errc()) return nearest + 0.0;
  const std::optional<FilterNumber> number = ParseFilterNumber(text);
  return number && number->exponent <= 0 ? std::optional(0.0) : std::nullopt;
}

}  // namespace freqstore

// Numbers as filters write them: [+-] digits [. digits] [e [+-] digits].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace freqstore {

/// A decimal number, exactly: 0.digits * 10^exponent.
struct FilterNumber {
  bool is_negative = false;
  std::string digits;    ///< neither the first nor the last is 0; none if the number is 0
  int64_t exponent = 0;  ///< at most 10^9 either way: who writes more means no other comparison
};

/// nullopt if `text` is not a number.
std::optional<FilterNumber> ParseFilterNumber(std::string_view text);

struct FilterInteger {
  std::optional<int64_t> floor;  ///< the greatest int64 that is not above the number; nullopt if all are
  bool is_exact = false;         ///< the number is `floor`
};
FilterInteger FloorOf(const FilterNumber& number);

/// The nearest double of a text that ParseFilterNumber takes; nullopt if it is beyond all.
std::optional<double> NearestDouble(std::string_view text);

}  // namespace freqstore

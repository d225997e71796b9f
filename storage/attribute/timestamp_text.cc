// RFC 3339.
#include "absl/time/civil_time.h"
#include "fmt/format.h"
#include "storage/attribute/attribute_value.h"

namespace freqstore {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kSecondsPerDay = 24 * 60 * 60;
constexpr int kFractionDigits = 6;
constexpr absl::CivilSecond kEpoch(1970, 1, 1);

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes what is expected off the front of a text. What is not there makes it fail for good.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool is_at_end() const { return text_.empty(); }
  bool has_failed() const { return has_failed_; }

  bool TakeOneOf(std::string_view marks, char* taken = nullptr) {
    if (text_.empty() || marks.find(text_.front()) == std::string_view::npos) return false;
    if (taken != nullptr) *taken = text_.front();
    text_.remove_prefix(1);
    return true;
  }

  void Expect(std::string_view marks) { has_failed_ |= !TakeOneOf(marks); }

  int Number(size_t digits, int min, int max) {
    int number = 0;
    for (size_t i = 0; i < digits; ++i) {
      if (i >= text_.size() || !IsDigit(text_[i])) {
        has_failed_ = true;
        return min;
      }
      number = number * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(digits);
    has_failed_ |= number < min || number > max;
    return number;
  }

  /// One digit at least; those past the sixth count for nothing.
  int64_t FractionMicros() {
    int64_t micros = 0;
    int digits = 0;
    for (; !text_.empty() && IsDigit(text_.front()); ++digits, text_.remove_prefix(1))
      if (digits < kFractionDigits) micros = micros * 10 + (text_.front() - '0');
    has_failed_ |= digits == 0;
    for (; digits < kFractionDigits; ++digits) micros *= 10;
    return micros;
  }

  /// Z or +01:00.
  int OffsetSeconds() {
    char sign = '+';
    if (TakeOneOf("Zz")) return 0;
    has_failed_ |= !TakeOneOf("+-", &sign);
    const int hours = Number(2, 0, 23);
    Expect(":");
    const int minutes = Number(2, 0, 59);
    const int seconds = (hours * 60 + minutes) * 60;
    return sign == '-' ? -seconds : seconds;
  }

 private:
  std::string_view text_;
  bool has_failed_ = false;
};

}  // namespace

std::optional<Timestamp> ParseTimestamp(std::string_view text) {
  Cursor cursor(text);
  const int year = cursor.Number(4, 0, 9999);
  cursor.Expect("-");
  const int month = cursor.Number(2, 1, 12);
  cursor.Expect("-");
  const int day = cursor.Number(2, 1, 31);
  const absl::CivilDay date(year, month, day);
  if (cursor.has_failed() || date.day() != day) return std::nullopt;
  int64_t seconds = absl::CivilSecond(date) - kEpoch;
  if (cursor.is_at_end()) return Timestamp{seconds * kMicrosPerSecond};

  cursor.Expect("Tt ");
  const int hour = cursor.Number(2, 0, 23);
  cursor.Expect(":");
  const int minute = cursor.Number(2, 0, 59);
  cursor.Expect(":");
  const int second = cursor.Number(2, 0, 60);
  const int64_t micros = cursor.TakeOneOf(".") ? cursor.FractionMicros() : 0;
  seconds += (hour * 60 + minute) * 60 + second - cursor.OffsetSeconds();
  if (cursor.has_failed() || !cursor.is_at_end()) return std::nullopt;
  if (second == 60 && seconds % kSecondsPerDay != 0) return std::nullopt;
  if (const int64_t utc_year = (kEpoch + seconds).year(); utc_year < 0 || utc_year > 9999)
    return std::nullopt;
  return Timestamp{seconds * kMicrosPerSecond + micros};
}

std::string FormatTimestamp(Timestamp timestamp) {
  int64_t seconds = timestamp.micros / kMicrosPerSecond;
  int64_t micros = timestamp.micros % kMicrosPerSecond;
  if (micros < 0) {
    micros += kMicrosPerSecond;
    --seconds;
  }
  const absl::CivilSecond time = kEpoch + seconds;
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", time.year(), time.month(), time.day(),
                                 time.hour(), time.minute(), time.second());
  if (micros % 1000 != 0) {
    text += fmt::format(".{:06}", micros);
  } else if (micros != 0) {
    text += fmt::format(".{:03}", micros / 1000);
  }
  return text + 'Z';
}

}  // namespace freqstore

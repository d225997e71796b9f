// Any bytes as a filter, and as a choice of its words: it is refused with a reason, or its canonical text
// means the same.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "server/plan/filter/filter.h"
#include "storage/base/coding.h"
#include "storage/base/status.h"
#include "storage/base/utf8.h"
#include "tests/fuzz/fuzz_check.h"

namespace freqstore {
namespace {

constexpr size_t kMessageBytesMax = 2000;

constexpr std::string_view kWords[] = {" ",
                                       "label",
                                       "age",
                                       "score",
                                       "good",
                                       "taken",
                                       "width",
                                       "nothing",
                                       "=",
                                       "!=",
                                       "<",
                                       "<=",
                                       ">",
                                       ">=",
                                       ":",
                                       "*",
                                       "(",
                                       ")",
                                       " AND ",
                                       " OR ",
                                       " NOT ",
                                       "-",
                                       "dog",
                                       "\"dog\"",
                                       "'it\\x00'",
                                       "\"\xc3\xa9\"",
                                       "true",
                                       "false",
                                       "512",
                                       "1.5",
                                       "-1e30",
                                       "1e-400",
                                       "inf",
                                       "2026-01-31",
                                       "1969-07-20T20:17:40.123456-07:00",
                                       "9223372036854775807",
                                       "-9223372036854775808.5",
                                       ",",
                                       ".",
                                       "\n"};

const AttributeSchema& Schema() {
  static const AttributeSchema schema({{256, "label", AttributeType::kString},
                                       {257, "age", AttributeType::kInteger},
                                       {258, "score", AttributeType::kDouble},
                                       {259, "good", AttributeType::kBool},
                                       {260, "taken", AttributeType::kTimestamp}});
  return schema;
}

void CheckError(const absl::Status& status) {
  constexpr std::string_view kReasons[] = {"INVALID_FILTER", "UNKNOWN_ATTRIBUTE", "FILTER_TYPE",
                                           "FILTER_TOO_LONG", "FILTER_TOO_COMPLEX"};
  FUZZ_CHECK(status.code() == absl::StatusCode::kInvalidArgument);
  FUZZ_CHECK(std::find(std::begin(kReasons), std::end(kReasons), ReasonOf(status)) != std::end(kReasons));
  std::string message(MessageOf(status));
  FUZZ_CHECK(message.size() < kMessageBytesMax);
  std::erase(message, '\n');
  FUZZ_CHECK(IsPrintableUtf8(message));
}

void CheckFilter(std::string_view filter) {
  const auto predicate = ParseFilter(filter, Schema());
  if (!predicate.ok()) return CheckError(predicate.status());
  const std::string canonical = FormatPredicate(*predicate, Schema());
  FUZZ_CHECK(predicate->is_all() || IsPrintableUtf8(canonical));
  const auto again = ParseFilter(canonical, Schema());
  // The canonical text may be longer: escapes, spaces.
  if (canonical.size() > kFilterBytesMax) return;
  FUZZ_CHECK(again.ok());
  FUZZ_CHECK(*again == *predicate);
  FUZZ_CHECK(FormatPredicate(*again, Schema()) == canonical);
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace freqstore;
  const Bytes bytes(data, size);
  CheckFilter(AsString(bytes));
  std::string filter;
  for (const uint8_t byte : bytes) filter += kWords[byte % std::size(kWords)];
  CheckFilter(filter);
  return 0;
}

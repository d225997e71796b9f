// Errors: absl::Status with one stable reason a failure class.
//
// A reason is an UPPER_SNAKE_CASE word that clients may match on ("NOT_A_JPEG"); the message is for people
// and may change. It travels as a payload of the absl::Status inside the server and as google.rpc.ErrorInfo
// on the wire.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace freqstore {

/// Makes a status of `code` that carries `reason`. `message` names the thing, the cause and the way out.
absl::Status MakeError(absl::StatusCode code, std::string_view reason, std::string_view message);

/// The reason a status carries, or its canonical code's name ("NOT_FOUND") if none was attached; "OK" for OK.
std::string ReasonOf(const absl::Status& status);

/// The message of a status; valid as long as the status. (Debian's Abseil has its own string_view type.)
std::string_view MessageOf(const absl::Status& status);

/// The same status (code, reason) with `context` + ": " put before its message.
absl::Status Annotate(const absl::Status& status, std::string_view context);

}  // namespace freqstore

#define FREQSTORE_CONCAT_INNER(a, b) a##b
#define FREQSTORE_CONCAT(a, b) FREQSTORE_CONCAT_INNER(a, b)

/// Returns from the enclosing function if `expr` (an absl::Status) is not OK.
#define RETURN_IF_ERROR(expr)                                         \
  do {                                                                \
    if (absl::Status status_ = (expr); !status_.ok()) return status_; \
  } while (false)

/// ASSIGN_OR_RETURN(auto x, StatusOrExpression()): declares or assigns x, or returns the error.
#define ASSIGN_OR_RETURN(lhs, expr) ASSIGN_OR_RETURN_IMPL(FREQSTORE_CONCAT(status_or_, __LINE__), lhs, expr)
// `lhs` may be a declaration, so it cannot stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses)
#define ASSIGN_OR_RETURN_IMPL(result, lhs, expr)       \
  auto result = (expr);                                \
  if (!result.ok()) return std::move(result).status(); \
  lhs = std::move(result).value()
// NOLINTEND(bugprone-macro-parentheses)

#include "storage/base/status.h"

#include "absl/strings/cord.h"
#include "fmt/format.h"

namespace freqstore {
namespace {

constexpr char kReasonPayload[] = "freqstore/reason";

absl::string_view ToAbsl(std::string_view s) {
  return {s.data(), s.size()};
}

}  // namespace

absl::Status MakeError(absl::StatusCode code, std::string_view reason, std::string_view message) {
  absl::Status status(code, ToAbsl(message));
  status.SetPayload(kReasonPayload, absl::Cord(ToAbsl(reason)));
  return status;
}

std::string ReasonOf(const absl::Status& status) {
  if (auto payload = status.GetPayload(kReasonPayload)) return std::string(*payload);
  return absl::StatusCodeToString(status.code());
}

absl::Status Annotate(const absl::Status& status, std::string_view context) {
  if (status.ok()) return status;
  absl::Status annotated(status.code(), fmt::format("{}: {}", context, MessageOf(status)));
  status.ForEachPayload(
      [&](absl::string_view url, const absl::Cord& payload) { annotated.SetPayload(url, payload); });
  return annotated;
}

std::string_view MessageOf(const absl::Status& status) {
  return {status.message().data(), status.message().size()};
}

}  // namespace freqstore

#include "storage/base/status.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

absl::StatusOr<int> Half(int value) {
  if (value % 2 != 0) return MakeError(absl::StatusCode::kInvalidArgument, "ODD", "the value is odd");
  return value / 2;
}

absl::StatusOr<int> Quarter(int value) {
  ASSIGN_OR_RETURN(const int half, Half(value));
  ASSIGN_OR_RETURN(const int quarter, Half(half));
  return quarter;
}

TEST_CASE("a status carries its reason through macros and annotations") {
  REQUIRE(*Quarter(8) == 2);
  const absl::Status status = Quarter(6).status();
  REQUIRE(status.code() == absl::StatusCode::kInvalidArgument);
  REQUIRE(ReasonOf(status) == "ODD");
  const absl::Status annotated = Annotate(status, "image 'a'");
  REQUIRE(ReasonOf(annotated) == "ODD");
  REQUIRE(MessageOf(annotated) == "image 'a': the value is odd");
}

TEST_CASE("a status without a reason gives its code's name") {
  REQUIRE(ReasonOf(absl::OkStatus()) == "OK");
  REQUIRE(ReasonOf(absl::NotFoundError("x")) == "NOT_FOUND");
  REQUIRE(Annotate(absl::OkStatus(), "x").ok());
}

}  // namespace
}  // namespace freqstore

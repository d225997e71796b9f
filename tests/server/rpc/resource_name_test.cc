#include "server/rpc/resource_name.h"

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"

namespace freqstore {
namespace {

TEST_CASE("names are taken apart, and ids may hold slashes") {
  REQUIRE(*ParseDatasetName("datasets/d") == "d");
  REQUIRE(*ParseModelName("models/m") == "m");
  const auto image = ParseImageName("datasets/d/images/cats/1.jpg");
  REQUIRE(image->dataset == "d");
  REQUIRE(image->image_id == "cats/1.jpg");
  REQUIRE(ParseImageName(ImageName("d", "images/x"))->image_id == "images/x");
}

TEST_CASE("other names are refused") {
  for (const char* name : {"", "d", "datasets/", "datasets/a/b", "models/m"}) {
    REQUIRE(ReasonOf(ParseDatasetName(name).status()) == "INVALID_NAME");
  }
  for (const char* name : {"datasets/d", "datasets/d/images/", "d/images/x"}) {
    REQUIRE(ReasonOf(ParseImageName(name).status()) == "INVALID_NAME");
  }
}

}  // namespace
}  // namespace freqstore

// Where the test material is.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "tests/testutil/files.h"

namespace freqstore::testutil {

/// `relative` under FREQSTORE_TEST_DATA; skips the calling test, saying so, where that is not set or the path
/// absent.
inline std::filesystem::path TestData(const std::string& relative) {
  const char* root = std::getenv("FREQSTORE_TEST_DATA");
  if (root == nullptr) SKIP("FREQSTORE_TEST_DATA is not set");
  std::filesystem::path path = std::filesystem::path(root) / relative;
  if (!std::filesystem::exists(path)) SKIP("no test material at " << path);
  return path;
}

}  // namespace freqstore::testutil

// Files of tests: read, found, damaged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace freqstore::testutil {

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Files anywhere under a folder whose names end so ("" for all), by path.
inline std::vector<std::filesystem::path> FilesOf(const std::filesystem::path& folder,
                                                  std::string_view extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension))
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether some file under a folder holds these bytes.
inline bool IsOnDisk(const std::filesystem::path& folder, std::string_view bytes) {
  const std::vector<std::filesystem::path> files = FilesOf(folder, "");
  return std::any_of(files.begin(), files.end(),
                     [&](const auto& file) { return ReadFile(file).find(bytes) != std::string::npos; });
}

/// Bit 0 is the lowest of the first byte.
inline void FlipBit(const std::filesystem::path& path, uint64_t bit) {
  std::string bytes = ReadFile(path);
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace freqstore::testutil

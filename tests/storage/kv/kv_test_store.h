// What the tests of the store share.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/kv/kv_store.h"

namespace freqstore::kv_test {

inline std::unique_ptr<KvStore> OpenStore(const std::filesystem::path& folder,
                                          const KvOptions& options = {}) {
  auto store = KvStore::Open(folder, options);
  INFO(store.status().ToString());
  REQUIRE(store.ok());
  return *std::move(store);
}

inline void Put(KvStore& store, Family family, const std::string& key, const std::string& value) {
  KvBatch batch;
  batch.Put(family, key, value);
  REQUIRE(store.Write(batch).ok());
}

inline void Ingest(KvStore& store, Family family, const std::string& key, const std::string& value) {
  REQUIRE(store.Ingest(std::vector<SortedEntries>{{family, {{key, value}}}}).ok());
}

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void FlipBit(const std::filesystem::path& path, size_t byte) {
  std::string bytes = ReadFile(path);
  bytes[byte] = static_cast<char>(bytes[byte] ^ 1);
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::vector<std::filesystem::path> FilesOf(const std::filesystem::path& folder,
                                                  std::string_view extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::vector<KvTableCheck> VerifyAll(KvStore& store) {
  std::vector<KvTableCheck> checks;
  REQUIRE(store
              .VerifyTables([&](const KvTableCheck& check) {
                checks.push_back(check);
                return true;
              })
              .ok());
  return checks;
}

}  // namespace freqstore::kv_test

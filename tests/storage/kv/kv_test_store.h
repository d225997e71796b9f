// What the tests of the store share.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/kv/kv_store.h"
#include "tests/testutil/files.h"

namespace freqstore::kv_test {

using testutil::FilesOf;
using testutil::FlipBit;
using testutil::IsOnDisk;
using testutil::ReadFile;

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

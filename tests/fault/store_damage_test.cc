// One bit flipped in each file of a store in turn: never wrong pixels, and verify finds it.

#include <filesystem>
#include <set>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/engine/originals.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/storage/engine/wait_for_end.h"
#include "tests/testutil/files.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;
using testutil::FlipBit;
using testutil::StoreHelper;

constexpr int kImages = 18;

StorageOptions OptionsFor(const fs::path& folder) {
  StorageOptions options;
  options.data_dir = folder;
  options.maintenance.interval = std::chrono::hours(1);
  options.kv.create_if_missing = false;
  return options;
}

/// How many images give their files back; each of the others has a reason of its own, none has another file.
int CountSound(StorageEngine& engine, const std::map<std::string, std::string>& files) {
  const auto snapshot = engine.Snapshot("d");
  if (!snapshot.ok()) {
    CHECK(absl::IsDataLoss(snapshot.status()));
    return 0;
  }
  int sound = 0;
  for (const auto& [id, file] : files) {
    const auto position = (*snapshot)->Find(id);
    const absl::StatusOr<std::string> read = position.ok() ? ReadOriginalFile(**snapshot, *position)
                                                           : absl::StatusOr<std::string>(position.status());
    INFO(id << ": " << read.status().ToString());
    CHECK((read.ok() ? *read == file : absl::IsDataLoss(read.status())));
    if (read.ok()) ++sound;
  }
  return sound;
}

TEST_CASE("a flipped bit in any table of a store is named, and gives no other image") {
  std::map<std::string, std::string> files;
  ImportOptions import;
  import.segment.images = 8;
  StoreHelper store(import);
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_BALANCED).ok());
  for (int first : {0, 8, 16}) {
    std::vector<std::pair<std::string, std::string>> some;
    for (int i = first; i < std::min(first + 8, kImages); ++i)
      some.emplace_back(fmt::format("{:02}", i), testutil::SmallJpeg(i));
    files.insert(some.begin(), some.end());
    for (const auto& [id, reason] : store.Import("d", some)) REQUIRE(reason == "OK");
  }
  REQUIRE(store.engine()
              .UpdateAttributes("d", {{std::vector<std::string>{"03"}, {{"label", std::string("x")}}}})
              .ok());
  store.Close();

  std::set<std::string> tables;
  for (const auto& entry : fs::recursive_directory_iterator(store.data_dir())) {
    if (entry.path().extension() == ".sst")
      tables.insert(fs::relative(entry.path(), store.data_dir()).string());
  }
  REQUIRE(tables.size() >= 4);
  uint64_t seed = 1;
  for (const std::string& table : tables) {
    testutil::TempFolder copy;
    const fs::path folder = copy.path() / "data";
    fs::copy(store.data_dir(), folder, fs::copy_options::recursive);
    const uint64_t bits = fs::file_size(folder / table) * 8;
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const uint64_t bit = (seed >> 11) % bits;
    FlipBit(folder / table, bit);
    INFO(table << ", bit " << bit << " of " << bits);
    const auto engine = StorageEngine::Open(OptionsFor(folder));
    if (!engine.ok()) {
      CHECK(absl::IsDataLoss(engine.status()));
      CHECK_FALSE(ReasonOf(engine.status()).empty());
      continue;
    }
    CountSound(**engine, files);
    const VerifyProgress progress =
        testutil::WaitForEnd(*(*engine)->Verify({.originals_every = 1, .quarantine = true}));
    CHECK(progress.status.ok());
    CHECK_FALSE(progress.damaged.empty());
    // What is left after the damage was set apart is whole.
    const int sound = CountSound(**engine, files);
    CHECK(sound <= kImages);
  }
}

}  // namespace
}  // namespace freqstore

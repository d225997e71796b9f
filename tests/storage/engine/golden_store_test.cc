// Opens the stores that earlier versions wrote: tests/golden/store_v*/README.md says what is in them.

#include <filesystem>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "storage/engine/originals.h"
#include "storage/engine/row_selection.h"
#include "storage/engine/storage_engine.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

TEST_CASE("a store of an earlier version opens, serves, and takes what this version adds", "[golden]") {
  const std::string version = GENERATE("store_v2_0");
  testutil::TempFolder folder;
  const std::filesystem::path golden = std::filesystem::path(FREQSTORE_SOURCE_DIR) / "tests/golden" / version;
  std::filesystem::copy(golden / "store", folder.path() / "store", std::filesystem::copy_options::recursive);
  StorageOptions options;
  options.data_dir = folder.path();
  options.maintenance.interval = std::chrono::hours(1);
  const auto engine = StorageEngine::Open(options);
  INFO(engine.status().ToString());
  REQUIRE(engine.ok());

  const auto require_all = [&] {
    const auto snapshot = *(*engine)->Snapshot("photos");
    REQUIRE(snapshot->image_count() == 5);
    for (const std::string id : {"00.jpg", "01.jpg", "02.jpg", "03.jpg", "04.jpg"}) {
      INFO(id);
      const auto position = snapshot->Find(id);
      REQUIRE(position.ok());
      REQUIRE(ReadOriginalFile(*snapshot, *position).ok());  // compares the SHA-256
    }
    const Predicate wide = Predicate::Compare(static_cast<uint32_t>(SystemAttribute::kWidth),
                                              Predicate::Comparison::kGreaterOrEqual, int64_t{42});
    REQUIRE(SelectRows(*snapshot, {}, wide).count() == 3);
  };
  require_all();
  const auto labelled = (*engine)->UpdateAttributes(
      "photos", {{std::vector<std::string>{"00.jpg", "04.jpg"}, {{"label", std::string("dog")}}}});
  REQUIRE(labelled.ok());
  require_all();
  REQUIRE((*engine)->Flush("photos")->images == 1);
  require_all();
  REQUIRE((*engine)->Compact("photos").ok());
  require_all();
  const Predicate dog =
      Predicate::Compare(kFirstOwnAttribute, Predicate::Comparison::kEqual, std::string("dog"));
  REQUIRE(SelectRows(**(*engine)->Snapshot("photos"), {}, dog).count() == 2);
}

}  // namespace
}  // namespace freqstore

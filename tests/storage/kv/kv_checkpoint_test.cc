// Checkpoints and what is restored from them.

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/kv/kv_store.h"
#include "storage/kv/restore.h"
#include "tests/storage/kv/kv_test_store.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;
using namespace kv_test;
using testutil::TempFolder;

absl::Status Restore(const fs::path& from, const fs::path& to) {
  return RestoreCheckpoint(from, to, [](const RestoreProgress& progress) {
    REQUIRE(progress.bytes_done <= progress.bytes_total);
  });
}

TEST_CASE("a checkpoint is the store of that moment, and stands by itself") {
  const TempFolder folder;
  const fs::path checkpoint = folder.path() / "checkpoint";
  auto store = OpenStore(folder.path() / "store");
  Put(*store, Family::kRows, "in log", "1");
  Ingest(*store, Family::kColumns, "in table", "2");
  REQUIRE(store->Checkpoint(checkpoint).ok());
  Put(*store, Family::kRows, "later", "3");
  REQUIRE(ReasonOf(store->Checkpoint(checkpoint)) == "CHECKPOINT_EXISTS");
  REQUIRE(ReasonOf(store->Checkpoint(folder.path() / "no" / "such")) == "CHECKPOINT_PARENT_MISSING");
  REQUIRE(store->Checkpoint((folder.path() / "with a slash" / "").string()).ok());
  store.reset();
  fs::remove_all(folder.path() / "store");
  REQUIRE(std::distance(fs::directory_iterator(folder.path()), {}) == 2);  // nothing is left beside them

  REQUIRE(Restore(checkpoint, folder.path() / "restored").ok());
  store = OpenStore(folder.path() / "restored");
  REQUIRE(store->Get(Family::kRows, "in log")->value_or("") == "1");
  REQUIRE(store->Get(Family::kColumns, "in table")->value_or("") == "2");
  REQUIRE_FALSE(store->Get(Family::kRows, "later")->has_value());
  const auto links = [](const fs::path& table) { return fs::hard_link_count(table); };
  for (const fs::path& table : FilesOf(folder.path() / "restored", ".sst")) REQUIRE(links(table) == 1);
}

TEST_CASE("restoring twice does nothing, restoring over something else is refused") {
  const TempFolder folder;
  const fs::path first = folder.path() / "first";
  const fs::path second = folder.path() / "second";
  const fs::path target = folder.path() / "data" / "store";
  {
    auto store = OpenStore(folder.path() / "store");
    Ingest(*store, Family::kColumns, "a", "1");
    REQUIRE(store->Checkpoint(first).ok());
    Ingest(*store, Family::kColumns, "b", "2");
    REQUIRE(store->Checkpoint(second).ok());
  }
  REQUIRE(Restore(first, target).ok());
  {
    auto store = OpenStore(target);
    Put(*store, Family::kRows, "since", "3");
  }
  REQUIRE(Restore(first, target).ok());
  REQUIRE(OpenStore(target)->Get(Family::kRows, "since")->value_or("") == "3");
  REQUIRE(ReasonOf(Restore(second, target)) == "RESTORE_TARGET_NOT_EMPTY");
  REQUIRE(ReasonOf(Restore(first, folder.path() / "store")) == "RESTORE_TARGET_NOT_EMPTY");
  REQUIRE(ReasonOf(Restore(folder.path() / "none", folder.path() / "new")) == "CHECKPOINT_NOT_FOUND");
  REQUIRE(ReasonOf(Restore(folder.path(), folder.path() / "new")) == "CHECKPOINT_NOT_FOUND");
  // A checkpoint of a restored store is one of its own.
  REQUIRE(OpenStore(target)->Checkpoint(folder.path() / "third").ok());
  REQUIRE(Restore(folder.path() / "third", folder.path() / "new").ok());
  REQUIRE(ReasonOf(Restore(first, folder.path() / "new")) == "RESTORE_TARGET_NOT_EMPTY");
}

TEST_CASE("what a cut off restore left is replaced; an empty target is taken") {
  const TempFolder folder;
  REQUIRE(OpenStore(folder.path() / "store")->Checkpoint(folder.path() / "checkpoint").ok());
  fs::create_directories(folder.path() / "target");
  fs::create_directories(folder.path() / "target.restoring");
  std::ofstream(folder.path() / "target.restoring" / "CURRENT") << "half";
  REQUIRE(Restore(folder.path() / "checkpoint", folder.path() / "target").ok());
  OpenStore(folder.path() / "target");
  REQUIRE_FALSE(fs::exists(folder.path() / "target.restoring"));
}

TEST_CASE("a damaged checkpoint is not restored") {
  const TempFolder folder;
  const fs::path checkpoint = folder.path() / "checkpoint";
  {
    auto store = OpenStore(folder.path() / "store");
    Ingest(*store, Family::kColumns, "a", std::string(100'000, 'a'));
    REQUIRE(store->Checkpoint(checkpoint).ok());
  }
  const fs::path table = FilesOf(checkpoint, ".sst").front();
  FlipBit(table, 8 * 50'000);
  const absl::Status damaged = Restore(checkpoint, folder.path() / "target");
  REQUIRE(ReasonOf(damaged) == "STORE_CORRUPT");
  REQUIRE(MessageOf(damaged).find(table.filename().string()) != std::string_view::npos);
  fs::remove(table);
  REQUIRE_FALSE(Restore(checkpoint, folder.path() / "target").ok());
  REQUIRE_FALSE(fs::exists(folder.path() / "target"));
  REQUIRE_FALSE(fs::exists(folder.path() / "target.restoring"));
}

}  // namespace
}  // namespace freqstore

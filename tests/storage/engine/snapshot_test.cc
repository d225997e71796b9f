#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/originals.h"
#include "tests/storage/engine/store_helper.h"

namespace freqstore {
namespace {

using testutil::SmallJpeg;
using testutil::StoreHelper;

TEST_CASE("a snapshot keeps seeing what it saw, through flush and delete") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  store.Import("d", {{"a", SmallJpeg(1)}, {"b", SmallJpeg(2)}});
  const auto before = *store.engine().Snapshot("d");
  REQUIRE(store.engine().Flush("d").ok());
  store.Import("d", {{"c", SmallJpeg(3)}});
  const auto after = *store.engine().Snapshot("d");
  REQUIRE(store.engine().catalog().DeleteDataset("d").ok());

  for (const auto& [snapshot, count] : {std::pair(before, 2U), std::pair(after, 3U)}) {
    REQUIRE(snapshot->image_count() == count);
    ColumnSet dc;
    dc.Insert({0, 0});
    uint64_t seen = 0;
    for (const Part& part : snapshot->parts()) {
      const auto rows = snapshot->ReadRows(part);
      REQUIRE(rows.ok());
      const auto loaded = snapshot->Load(part, *rows, dc);
      REQUIRE(loaded.ok());
      std::vector<CoefficientPlanes> planes;
      for (size_t i = 0; i < (*rows)->size(); ++i, ++seen) {
        REQUIRE((*loaded)->reader().DecodeImage(i, dc, planes).ok());
      }
    }
    REQUIRE(seen == count);
  }
}

TEST_CASE("a projection reads the bytes that the catalog promises, and finds single images") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  std::vector<std::pair<std::string, std::string>> files;
  for (int i = 0; i < 20; ++i) files.emplace_back(fmt::format("{}", i), SmallJpeg(i));
  store.Import("d", files);
  REQUIRE(store.engine().Flush("d").ok());
  const auto snapshot = *store.engine().Snapshot("d");
  REQUIRE(snapshot->parts().size() == 1);
  const Part& part = snapshot->parts()[0];
  ColumnSet low;
  for (size_t c = 0; c < 3; ++c) low.components[c] = FrequencySet::Cut(2, 14);
  const auto loaded = snapshot->Load(part, *snapshot->ReadRows(part), low);
  REQUIRE((*loaded)->bytes() == snapshot->ColumnBytes(part, low));
  REQUIRE(snapshot->Close(part, low) == low);

  const auto position = snapshot->Find("13");
  REQUIRE(position.ok());
  REQUIRE(*ReadOriginalFile(*snapshot, *position) == files[13].second);
  REQUIRE(ReasonOf(snapshot->Find("nobody").status()) == "IMAGE_NOT_FOUND");
  REQUIRE(*snapshot->ListImageIds("18", 2) == std::vector<std::string>{"18", "19"});
}

}  // namespace
}  // namespace freqstore

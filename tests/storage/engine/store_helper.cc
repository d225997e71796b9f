#include "tests/storage/engine/store_helper.h"

#include <algorithm>
#include <mutex>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "tests/testutil/event.h"

namespace freqstore::testutil {

std::string SmallJpeg(int seed, int width, int height) {
  JpegSpec spec;
  spec.width = width;
  spec.height = height;
  spec.quality = 20 + seed % 75;
  spec.sampling = {{2, 2}};
  return BuildJpeg(spec);
}

StoreHelper::StoreHelper(ImportOptions import) {
  options_.data_dir = folder_.path() / "data";
  options_.import = import;
  options_.ingest_threads = 2;
  // Tests say when.
  options_.maintenance.interval = std::chrono::hours(1);
  const absl::Status status = Open();
  INFO(status.ToString());
  REQUIRE(status.ok());
}

absl::Status StoreHelper::Open() {
  auto engine = StorageEngine::Open(options_);
  if (engine.ok()) engine_ = *std::move(engine);
  return engine.status();
}

std::map<std::string, std::string> StoreHelper::Import(
    const std::string& dataset, const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<File> with_attributes;
  for (const auto& [id, file] : files) with_attributes.push_back({id, file});
  return ImportFiles(dataset, with_attributes);
}

std::map<std::string, std::string> StoreHelper::ImportFiles(const std::string& dataset,
                                                            const std::vector<File>& files) {
  std::mutex mutex;
  std::map<std::string, std::string> outcomes;
  auto session = engine_->StartImport(dataset, [&](const ImportOutcome& outcome) {
    const std::lock_guard lock(mutex);
    outcomes[outcome.image_id] = outcome.already_present ? "PRESENT" : ReasonOf(outcome.status);
  });
  REQUIRE(session.ok());
  uint64_t sequence = 0;
  for (const auto& [id, file, attributes] : files) (*session)->Add({++sequence, id, file, attributes});
  Event done;
  (*session)->Finish([&] { done.Notify(); });
  done.Wait();
  return outcomes;
}

void StoreHelper::Flush(const std::string& dataset) {
  const auto flushed = engine_->Flush(dataset);
  INFO(flushed.status().ToString());
  REQUIRE(flushed.ok());
  REQUIRE(flushed->damaged.empty());
}

StoreHelper::Images StoreHelper::ReadAll(const std::string& dataset) {
  const auto snapshot = engine_->Snapshot(dataset);
  REQUIRE(snapshot.ok());
  return ReadAll(**snapshot);
}

StoreHelper::Images StoreHelper::ReadAll(const DatasetSnapshot& snapshot) {
  Images images;
  ColumnSet all;
  for (FrequencySet& component : all.components) component = FrequencySet::All();
  for (const Part& part : snapshot.parts()) {
    const auto rows = snapshot.ReadRows(part);
    REQUIRE(rows.ok());
    const auto loaded = snapshot.Load(part, *rows, all);
    REQUIRE(loaded.ok());
    for (const uint32_t i : part.live().ToOrdinals()) {
      std::vector<CoefficientPlanes> planes;
      ColumnSet wanted = all;
      for (size_t c = (**rows)[i].geometry.components.size(); c < wanted.components.size(); ++c)
        wanted.components[c] = {};
      const absl::Status status = (*loaded)->reader().DecodeImage(i, wanted, planes);
      INFO(status.ToString());
      REQUIRE(status.ok());
      REQUIRE(images.emplace((**rows)[i].image_id, std::move(planes)).second);
    }
  }
  return images;
}

bool SamePlanes(const std::vector<CoefficientPlanes>& a, const std::vector<CoefficientPlanes>& b) {
  if (a.size() != b.size()) return false;
  for (size_t c = 0; c < a.size(); ++c) {
    if (!(a[c].grid() == b[c].grid()) || !(a[c].frequencies() == b[c].frequencies())) return false;
    for (int z = 0; z < kFrequencies; ++z) {
      if (!a[c].frequencies().Contains(z)) continue;
      if (a[c].Values(z) != b[c].Values(z)) return false;
    }
  }
  return true;
}

}  // namespace freqstore::testutil

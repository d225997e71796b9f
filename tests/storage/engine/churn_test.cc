// Everything at once: imports, scans, deletions, updates, flushes, compaction, rewrites. What a scan sees is
// consistent, and the end is what a serial run gives. FREQSTORE_CHURN_SECONDS sets how long (5).

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "storage/base/status.h"
#include "storage/engine/originals.h"
#include "storage/engine/row_selection.h"
#include "storage/jpeg/jpeg_reader.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/testutil/event.h"

namespace freqstore {
namespace {

using testutil::StoreHelper;

constexpr int kImagesPerSegment = 16;
constexpr int kSeeds = 50;

ImportOptions SmallSegments() {
  ImportOptions options;
  options.segment.images = kImagesPerSegment;
  return options;
}

std::chrono::seconds Duration() {
  const char* seconds = std::getenv("FREQSTORE_CHURN_SECONDS");
  return std::chrono::seconds(seconds == nullptr ? 5 : std::atoi(seconds));
}

std::string IdOf(int number) {
  return fmt::format("{:06}", number);
}

/// Image n has the content n % kSeeds, the attribute number = n, and is deleted if n % 3 is 0.
bool IsDeleted(int number) {
  return number % 3 == 0;
}

/// Failures of threads: Catch's macros are for the main one.
class Findings {
 public:
  void Require(bool holds, const std::string& what) {
    if (holds) return;
    const std::lock_guard lock(mutex_);
    found_.insert(what);
  }
  std::string Text() const { return fmt::format("{}", fmt::join(found_, "\n")); }

 private:
  std::mutex mutex_;
  std::set<std::string> found_;
};

class Churn {
 public:
  Churn() {
    REQUIRE(engine().catalog().CreateDataset("d", storage::v1::LAYOUT_BALANCED).ok());
    REQUIRE(engine().catalog().EnsureAttribute(1, "number", AttributeType::kInteger).ok());
    for (int seed = 0; seed < kSeeds; ++seed) {
      files_.push_back(testutil::SmallJpeg(seed));
      planes_.push_back(ReadJpeg(AsBytes(files_.back()), {})->components);
    }
  }

  StorageEngine& engine() { return store_.engine(); }

  int Run(std::chrono::seconds duration) {
    const auto end = std::chrono::steady_clock::now() + duration;
    const auto until_end = [&](auto step) {
      return std::thread([=, this] {
        while (std::chrono::steady_clock::now() < end) (this->*step)();
      });
    };
    std::vector<std::thread> threads;
    threads.push_back(until_end(&Churn::ImportSome));
    threads.push_back(until_end(&Churn::Scan));
    threads.push_back(until_end(&Churn::Scan));
    threads.push_back(until_end(&Churn::DeleteSome));
    threads.push_back(until_end(&Churn::UpdateSome));
    threads.push_back(until_end(&Churn::Restructure));
    for (std::thread& thread : threads) thread.join();
    while (deleted_ < imported_) DeleteSome();
    while (updated_ < imported_) UpdateSome();
    return imported_;
  }

  /// As a serial run of the same would leave it.
  void RequireEnd(int imported) {
    const auto snapshot = *engine().Snapshot("d");
    const StoreHelper::Images images = StoreHelper::ReadAll(*snapshot);
    size_t expected = 0;
    for (int n = 0; n < imported; ++n) {
      if (IsDeleted(n)) continue;
      ++expected;
      REQUIRE(images.contains(IdOf(n)));
      REQUIRE(testutil::SamePlanes(images.at(IdOf(n)), planes_[static_cast<size_t>(n % kSeeds)]));
      const auto position = *snapshot->Find(IdOf(n));
      REQUIRE(*ReadOriginalFile(*snapshot, position) == files_[static_cast<size_t>(n % kSeeds)]);
      const auto columns = *snapshot->ReadAttributes(snapshot->parts()[position.part]);
      REQUIRE(columns.at(kFirstOwnAttribute)->value(position.ordinal) == AttributeValue(int64_t{n}));
    }
    REQUIRE(images.size() == expected);
  }

  const Findings& findings() const { return findings_; }

 private:
  void ImportSome() {
    testutil::Event done;
    std::atomic<int> failed = 0;
    const auto session = *engine().StartImport("d", [&](const ImportOutcome& outcome) {
      if (!outcome.status.ok()) ++failed;
    });
    const int first = imported_;
    const int count = first % 5 == 0 ? 3 : 2 * kImagesPerSegment;
    for (int n = first; n < first + count; ++n)
      session->Add({static_cast<uint64_t>(n), IdOf(n), files_[static_cast<size_t>(n % kSeeds)]});
    session->Finish([&] { done.Notify(); });
    done.Wait();
    findings_.Require(failed == 0, "an image was refused");
    imported_ = first + count;
  }

  void DeleteSome() {
    const int end = imported_;
    std::vector<std::string> ids;
    for (int n = deleted_; n < end; ++n) {
      if (IsDeleted(n)) ids.push_back(IdOf(n));
    }
    if (!ids.empty()) {
      const auto result = engine().DeleteImages("d", ids);
      findings_.Require(result.ok() && result->images == ids.size(), "a deletion failed");
    }
    deleted_ = end;
    std::this_thread::yield();
  }

  void UpdateSome() {
    const int end = imported_;
    std::vector<AttributeUpdate> updates;
    for (int n = updated_; n < end; ++n)
      updates.push_back({std::vector<std::string>{IdOf(n)}, {{"number", int64_t{n}}}});
    if (!updates.empty()) findings_.Require(engine().UpdateAttributes("d", updates).ok(), "an update failed");
    updated_ = end;
    std::this_thread::yield();
  }

  void Restructure() {
    findings_.Require(engine().Flush("d").ok(), "a flush failed");
    const auto compacted = engine().Compact("d");
    findings_.Require(compacted.ok() && compacted->damaged.empty(), "a compaction failed");
    const auto layout = round_++ % 2 == 0 ? Layout::kFast : Layout::kBalanced;
    const auto job = engine().Rewrite("d", layout);
    findings_.Require(job.ok() || ReasonOf(job.status()) == "REWRITE_IN_PROGRESS", "a rewrite failed");
  }

  // A scan sees every image that was acknowledged before it, and none that was deleted before it.
  void Scan() {
    const int deleted_before = deleted_;
    const int imported_before = imported_;
    const auto snapshot = *engine().Snapshot("d");
    const int imported_after = imported_ + 2 * kImagesPerSegment;
    std::set<std::string> seen;
    for (const Part& part : snapshot->parts()) ScanPart(*snapshot, part, seen);
    for (int n = 0; n < imported_before; ++n)
      findings_.Require(IsDeleted(n) || seen.contains(IdOf(n)), "a scan misses an image");
    for (int n = 0; n < deleted_before; n += 3)
      findings_.Require(!seen.contains(IdOf(n)), "a scan sees a deleted image");
    findings_.Require(seen.empty() || *seen.rbegin() < IdOf(imported_after),
                      "a scan sees what is not there yet");
    const auto position = snapshot->Find(IdOf(1));
    findings_.Require(imported_before <= 1 || position.ok(), "an id is lost");
  }

  void ScanPart(const DatasetSnapshot& snapshot, const Part& part, std::set<std::string>& seen) {
    const auto rows = snapshot.ReadRows(part);
    findings_.Require(rows.ok(), "rows cannot be read");
    if (!rows.ok()) return;
    const auto loaded = snapshot.Load(part, *rows, ColumnSet::All());
    findings_.Require(loaded.ok(), "a part cannot be loaded");
    if (!loaded.ok()) return;
    for (const uint32_t ordinal : part.live().ToOrdinals()) {
      const std::string& id = (**rows)[ordinal].image_id;
      findings_.Require(seen.insert(id).second, "a scan sees an image twice");
      std::vector<CoefficientPlanes> planes;
      const absl::Status status = (*loaded)->reader().DecodeImage(ordinal, ColumnSet::All(), planes);
      const auto seed = static_cast<size_t>(std::atoi(id.c_str()) % kSeeds);
      findings_.Require(status.ok() && testutil::SamePlanes(planes, planes_[seed]),
                        "an image has other content");
    }
  }

  StoreHelper store_{SmallSegments()};
  std::vector<std::string> files_;
  std::vector<std::vector<CoefficientPlanes>> planes_;
  Findings findings_;
  // How far each has come.
  std::atomic<int> imported_ = 0;
  std::atomic<int> deleted_ = 0;
  std::atomic<int> updated_ = 0;
  int round_ = 0;
};

TEST_CASE("imports, scans, deletions, updates and compaction at once leave what a serial run does",
          "[churn]") {
  Churn churn;
  const int imported = churn.Run(Duration());
  const std::string findings = churn.findings().Text();
  INFO(findings);
  REQUIRE(findings.empty());
  REQUIRE(imported > 0);
  churn.RequireEnd(imported);
}

}  // namespace
}  // namespace freqstore

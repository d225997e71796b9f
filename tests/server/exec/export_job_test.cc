#include "server/exec/export_job.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/testutil/event.h"

namespace freqstore {
namespace {

using testutil::SmallJpeg;
using testutil::StoreHelper;

using Files = std::map<std::string, std::string>;

/// 50 images in segments and the delta.
class ExportJobTest {
 public:
  ExportJobTest() {
    REQUIRE(store_.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_BALANCED).ok());
    for (int first : {0, 20, 40}) {
      for (int i = first; i < std::min(first + 20, 50); ++i) {
        const std::string id = fmt::format("{:02}", i);
        files_[id] = SmallJpeg(i);
        store_.Import("d", {{id, files_[id]}});
      }
      if (first < 40) REQUIRE(store_.engine().Flush("d").ok());
    }
  }

 protected:
  /// Takes all; an image that failed has its reason as its file.
  static Files TakeAll(ExportJob& job) {
    Files taken;
    while (true) {
      testutil::Event ready;
      const ExportJob::Taken next = job.Take([&] { ready.Notify(); });
      if (next.ended) return taken;
      if (!next.image) {
        ready.Wait();
        continue;
      }
      const auto& file = next.image->file;
      REQUIRE(taken.emplace(next.image->image_id, file.ok() ? *file : ReasonOf(file.status())).second);
    }
  }

  std::shared_ptr<const DatasetSnapshot> Snapshot() { return *store_.engine().Snapshot("d"); }

  RowSelection Rows(const std::vector<std::string>& ids) { return SelectRows(*Snapshot(), ids); }

  StoreHelper store_;
  Files files_;
};

}  // namespace

TEST_CASE_METHOD(ExportJobTest, "every file comes once, whatever room there is") {
  for (uint64_t bytes_max : {uint64_t{1}, uint64_t{5000}, uint64_t{1} << 30}) {
    for (size_t threads : {1u, 4u}) {
      ExportJob job(Snapshot(), Rows({}), {.threads = threads, .bytes_max = bytes_max});
      CHECK(TakeAll(job) == files_);
    }
  }
}

TEST_CASE_METHOD(ExportJobTest, "only those that were asked for come, and the unknown ones' errors") {
  const std::vector<std::string> ids = {"41", "07", "nobody", "07", "23"};
  ExportJob job(Snapshot(), Rows(ids), {});
  CHECK(
      TakeAll(job) ==
      Files{{"07", files_["07"]}, {"23", files_["23"]}, {"41", files_["41"]}, {"nobody", "IMAGE_NOT_FOUND"}});
}

TEST_CASE_METHOD(ExportJobTest, "a job that nobody takes from ends when it is dropped") {
  ExportJob job(Snapshot(), Rows({}), {.threads = 2, .bytes_max = 1});
  testutil::Event ready;
  if (!job.Take([&] { ready.Notify(); }).image) ready.Wait();
}

}  // namespace freqstore

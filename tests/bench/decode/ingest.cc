#include "tests/bench/decode/ingest.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

#include "storage/catalog/stored_layout.h"
#include "storage/engine/storage_engine.h"

namespace freqstore::bench {
namespace {

double ProcessSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// A folder that is removed with everything in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "freqstore_bench_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder " + name);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

IngestTimes RunIngest(std::span<const Photo> photos, Layout layout) {
  const Folder folder;
  StorageOptions options;
  options.data_dir = folder.path();
  options.ingest_threads = 1;
  auto engine = StorageEngine::Open(options).value();
  if (!engine->catalog().CreateDataset("photos", StoredLayout(layout)).ok())
    throw std::runtime_error("cannot create a dataset");

  std::atomic<size_t> failed = 0;
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  const double cpu = ProcessSeconds();
  const auto start = std::chrono::steady_clock::now();
  auto session = engine->StartImport("photos", [&](const ImportOutcome& outcome) {
    if (!outcome.status.ok()) ++failed;
  });
  for (size_t i = 0; i < photos.size(); ++i) {
    while ((*session)->bytes_in_flight() >= options.import.stream_bytes_max)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    (*session)->Add({i, photos[i].packed.record.image_id, photos[i].file});
  }
  (*session)->Finish([&] {
    const std::lock_guard lock(mutex);
    done = true;
    finished.notify_one();
  });
  std::unique_lock lock(mutex);
  finished.wait(lock, [&] { return done; });
  IngestTimes times;
  times.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  times.cpu_seconds = ProcessSeconds() - cpu;
  if (failed > 0) throw std::runtime_error("photos were refused");
  return times;
}

}  // namespace freqstore::bench

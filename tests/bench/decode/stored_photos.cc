#include "tests/bench/decode/stored_photos.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

#include "storage/catalog/stored_layout.h"

namespace freqstore::bench {
namespace {

double ProcessSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

IngestTimes Import(StorageEngine& engine, std::span<const Photo> photos) {
  std::atomic<size_t> failed = 0;
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  const double cpu = ProcessSeconds();
  const auto start = std::chrono::steady_clock::now();
  auto session = engine.StartImport("photos", [&](const ImportOutcome& outcome) {
    if (!outcome.status.ok()) ++failed;
  });
  for (size_t i = 0; i < photos.size(); ++i) {
    while ((*session)->bytes_in_flight() >= engine.options().import.stream_bytes_max)
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
  if (failed > 0) throw std::runtime_error("photos were refused");
  return {
      .wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
      .cpu_seconds = ProcessSeconds() - cpu,
  };
}

void ForgetCached(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return;  // RocksDB deletes what it does not need any more
  if (descriptor < 0) throw std::runtime_error("cannot open " + file.string());
  fdatasync(descriptor);  // only clean pages are forgotten
  const int error = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  close(descriptor);
  if (error != 0) throw std::runtime_error("the kernel does not forget " + file.string());
}

}  // namespace

class StoredPhotos::Folder {
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

StoredPhotos::StoredPhotos(std::span<const Photo> photos, Layout layout)
    : folder_(std::make_unique<Folder>()) {
  Open();
  if (!engine_->catalog().CreateDataset("photos", StoredLayout(layout)).ok())
    throw std::runtime_error("cannot create a dataset");
  times_ = Import(*engine_, photos);
  if (!engine_->Flush("photos").ok()) throw std::runtime_error("cannot flush the dataset");
}

StoredPhotos::~StoredPhotos() = default;

void StoredPhotos::Open() {
  StorageOptions options;
  options.data_dir = folder_->path();
  options.ingest_threads = 1;
  engine_ = StorageEngine::Open(options).value();
}

void StoredPhotos::ReopenCold() {
  engine_.reset();
  Open();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_->path())) {
    if (entry.is_regular_file()) ForgetCached(entry.path());
  }
}

}  // namespace freqstore::bench

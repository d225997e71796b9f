// Original files on their way to a client.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/row_selection.h"

namespace freqstore {

struct ExportedImage {
  std::string image_id;
  absl::StatusOr<std::string> file;  ///< its SHA-256 is that of what was imported
};

struct ExportOptions {
  size_t threads = 1;
  uint64_t bytes_max = uint64_t{16} << 20;  ///< of files that wait to be taken
};

/// Rebuilds files on threads of its own, part after part, ahead of whoever takes them. Thread-safe.
class ExportJob {
 public:
  ExportJob(std::shared_ptr<const DatasetSnapshot> snapshot, const RowSelection& rows, ExportOptions options);
  /// Ends the threads; what was not taken is dropped.
  ~ExportJob();
  ExportJob(const ExportJob&) = delete;
  ExportJob& operator=(const ExportJob&) = delete;

  struct Taken {
    std::optional<ExportedImage> image;
    bool ended = false;  ///< all were taken before
  };
  /// The next image. If there is none yet, `on_ready` is called once when that changes, from a thread of the
  /// job.
  Taken Take(std::function<void()> on_ready);

  /// Lets the threads end soon; what is left may still be taken.
  void Cancel();

 private:
  struct Share {
    size_t part;
    std::vector<uint32_t> ordinals;
  };

  void Run();
  void RunShare(const Share& share);
  /// False if the job was cancelled. Waits while too much waits to be taken.
  bool Put(ExportedImage image);
  void EndThread();

  const std::shared_ptr<const DatasetSnapshot> snapshot_;
  const ExportOptions options_;
  std::vector<Share> shares_;

  absl::Mutex mutex_;
  std::deque<ExportedImage> ready_ ABSL_GUARDED_BY(mutex_);
  uint64_t ready_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t next_share_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t threads_running_ ABSL_GUARDED_BY(mutex_) = 0;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  std::function<void()> on_ready_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace freqstore

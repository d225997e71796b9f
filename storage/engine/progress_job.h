// A long task that any number of callers may watch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace freqstore {

/// `Progress` is copyable and has the members `bool ended` and `absl::Status status`. Thread-safe.
template <typename Progress>
class ProgressJob {
 public:
  explicit ProgressJob(Progress progress = {}) : progress_(std::move(progress)) {}
  virtual ~ProgressJob() = default;

  /// The progress if it is not what `seen` says (0: nothing), which then says it. Otherwise nullopt, and
  /// `on_change` is called once when there is more to see, from the job's thread.
  std::optional<Progress> Poll(uint64_t& seen, std::function<void()> on_change) {
    absl::MutexLock lock(&mutex_);
    if (seen == version_) {
      watchers_.push_back(std::move(on_change));
      return std::nullopt;
    }
    seen = version_;
    return progress_;
  }

  void Update(const std::function<void(Progress&)>& change) {
    std::vector<std::function<void()>> watchers;
    {
      absl::MutexLock lock(&mutex_);
      change(progress_);
      ++version_;
      watchers.swap(watchers_);
    }
    for (const auto& watcher : watchers) watcher();
  }

 private:
  absl::Mutex mutex_;
  Progress progress_ ABSL_GUARDED_BY(mutex_);
  uint64_t version_ ABSL_GUARDED_BY(mutex_) = 1;
  std::vector<std::function<void()>> watchers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace freqstore

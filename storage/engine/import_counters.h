// What became of images that were sent, since the engine opened.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "storage/base/status.h"

namespace freqstore {

/// Thread-safe.
class ImportCounters {
 public:
  void Count(const absl::Status& outcome, uint64_t file_bytes) {
    absl::MutexLock lock(&mutex_);
    if (outcome.ok()) {
      ++images_;
      bytes_ += file_bytes;
    } else {
      ++refused_[ReasonOf(outcome)];
    }
  }

  uint64_t images() const {
    absl::MutexLock lock(&mutex_);
    return images_;
  }
  uint64_t bytes() const {
    absl::MutexLock lock(&mutex_);
    return bytes_;
  }
  std::map<std::string, uint64_t> refused() const {
    absl::MutexLock lock(&mutex_);
    return refused_;
  }

 private:
  mutable absl::Mutex mutex_;
  uint64_t images_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::string, uint64_t> refused_ ABSL_GUARDED_BY(mutex_);  // by the reason
};

}  // namespace freqstore

// Watches a job to its end.
#pragma once

#include "storage/engine/progress_job.h"
#include "tests/testutil/event.h"

namespace freqstore::testutil {

/// The last progress.
template <typename Progress>
Progress WaitForEnd(ProgressJob<Progress>& job) {
  uint64_t seen = 0;
  while (true) {
    Event changed;
    const auto progress = job.Poll(seen, [&] { changed.Notify(); });
    if (!progress) {
      changed.Wait();
    } else if (progress->ended) {
      return *progress;
    }
  }
}

}  // namespace freqstore::testutil

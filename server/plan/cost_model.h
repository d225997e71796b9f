// Seconds from amounts of work, at rates measured on this machine.
#pragma once

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/plan/measures.h"

namespace freqstore {

/// Starts with the rates of a typical machine and follows what finished queries measured. Thread-safe.
class CostModel {
 public:
  /// Fills the seconds of `measures`. `seconds_per_image` is the model's, 0 for a scan; `workers` share
  /// decode, render and model, while storage and sending run beside them.
  void Estimate(const WorkAmounts& work, double seconds_per_image, size_t workers, Measures& measures) const;

  /// Learns from a finished query: `measures` are what `work` took.
  void Observe(const WorkAmounts& work, const Measures& measures);

 private:
  /// Seconds a unit of work, averaged with exponentially falling weight.
  struct Rate {
    double seconds_per_unit;
    void Observe(double seconds, double units);
  };

  mutable absl::Mutex mutex_;
  Rate storage_ ABSL_GUARDED_BY(mutex_){1e-9};
  Rate decode_ ABSL_GUARDED_BY(mutex_){1e-9};
  Rate render_ ABSL_GUARDED_BY(mutex_){1e-9};
  Rate send_ ABSL_GUARDED_BY(mutex_){2e-9};
};

}  // namespace freqstore

// Workers: one thread and one device each, fed in turn by whoever has work.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "gpu/device/device.h"

namespace freqstore {

/// A device and the models loaded on it. Used by its own thread only.
class Worker {
 public:
  explicit Worker(std::unique_ptr<Device> device) : device_(std::move(device)) {}

  Device& device() { return *device_; }

  /// A model on this worker's device and a tensor for its input.
  struct Prepared {
    LoadedModel* model;
    Tensor* input;
  };
  /// Loads `model` when first asked for; the least recently used goes when there are many. The pointers are
  /// good until the next call.
  absl::StatusOr<Prepared> Prepare(const std::shared_ptr<const Model>& model, const Shape& input_shape);

 private:
  struct Entry {
    std::shared_ptr<const Model> model;
    std::unique_ptr<LoadedModel> loaded;
    std::unique_ptr<Tensor> input;
  };
  std::unique_ptr<Device> device_;
  std::list<Entry> models_;  // most recently used first
};

/// Something that has work now and then, a query for instance.
class WorkSource {
 public:
  using Task = std::function<void(Worker&)>;
  virtual ~WorkSource() = default;

  /// A task that can run now, or nullopt. Called under the pool's lock: quick, and never into the pool.
  virtual std::optional<Task> TryTake() = 0;
};

/// Serves its sources round robin, one task at a time, so that none starves the others. Thread-safe.
class WorkerPool {
 public:
  using MakeDevice = std::function<std::unique_ptr<Device>()>;

  /// `make_device` is called on each worker's thread.
  WorkerPool(size_t workers, MakeDevice make_device);
  /// Sources must be removed first. Waits for running tasks.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Add(std::shared_ptr<WorkSource> source);
  /// After this the pool takes no more tasks of `source`; tasks that were taken may still run.
  void Remove(const WorkSource* source);
  /// Tells that a source may have work again. Never call it under a lock that TryTake takes.
  void Notify();

  size_t size() const { return threads_.size(); }

 private:
  void Run(const MakeDevice& make_device);
  std::optional<WorkSource::Task> TakeNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  absl::CondVar changed_;
  std::list<std::shared_ptr<WorkSource>> sources_ ABSL_GUARDED_BY(mutex_);  // the next to be asked first
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace freqstore
